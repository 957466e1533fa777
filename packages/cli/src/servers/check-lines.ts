// The result of a server's check: a line for each part, and how to fix what is wrong.
import type { Check } from '@shipway/api'
import { plainText } from '../terminal/sanitize.ts'
import type { Paint } from '../terminal/sink.ts'
import { pad, widthOf } from '../terminal/width.ts'
import { wrap } from '../terminal/wrap.ts'

/** `columns`: the width of the window. Sentences are wrapped beside their names. */
export function checkLines(checks: readonly Check[], paint: Paint, columns = Number.POSITIVE_INFINITY): string[] {
  const width = Math.max(...checks.map(({ name }) => widthOf(plainText(name))))
  const lines = (text: string): string[] => wrap(plainText(text), columns - width - MARGIN)
  return checks.flatMap(({ name, status, message, fix }) => {
    const color = status === 'failed' ? paint.failed : status === 'warning' ? paint.amber : (text: string) => text
    const [first, ...more] = lines(message)
    const rest = [...more.map(color), ...(fix === null ? [] : lines(fix))]
    return [
      color(`  ${SIGNS[status] ?? '·'} ${pad(plainText(name), width)}  ${first}`),
      ...rest.map((line) => `    ${pad('', width)}  ${line}`),
    ]
  })
}

/** Around the name. */
const MARGIN = 6

const SIGNS: Readonly<Record<Check['status'], string>> = { ok: '✓', warning: '·', failed: '✗' }
