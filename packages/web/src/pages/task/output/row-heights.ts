// How high the rows of the output are, where none is wrapped. They grow with the letters of the page.
import type { Heights } from './row-index.ts'

const rem = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16

export const HEIGHTS: Heights = {
  line: 19 * rem,
  fold: (matchMedia('(max-width: 720px)').matches ? 44 : 28) * rem,
}
