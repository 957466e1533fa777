// Heights of rows that do not wrap, in pixels. They scale with the font size of the page.
const rem = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16

export const HEIGHTS = {
  line: 19 * rem,
  fold: (matchMedia('(max-width: 720px)').matches ? 44 : 28) * rem,
}
