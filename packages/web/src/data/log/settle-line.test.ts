import { expect, test } from 'vitest'
import { plainText, settleLine } from './settle-line.ts'
import { codesOf, PLAIN, styleAfter } from './style.ts'

const ESC = '\u001b'

test.each([
  ['plain', 'added 812 packages', 'added 812 packages'],
  ['a line of Windows', 'done\r', 'done'],
  ['a progress bar', '10%\r50%\r100%', '100%'],
  ['a shorter text over a longer one', 'Downloading\rDone', 'Doneloading'],
  ['a longer one that was erased', `Downloading\r${ESC}[KDone`, 'Done'],
  ['the whole line erased', `Downloading${ESC}[2K\rDone`, 'Done'],
  ['erased up to the cursor', `abcdef\r${ESC}[2C${ESC}[1K`, '   def'],
  ['backspaces', 'abd\b\bcX', 'acX'],
  ['a spinner', '|\b/\b-\bok', 'ok'],
  ['a place in the line', `abc${ESC}[2GX`, 'aXc'],
  ['colours', `${ESC}[31mred${ESC}[0m plain`, 'red plain'],
  ['moves to other lines', `${ESC}[1Aabove`, 'above'],
  ['the title of a window', `${ESC}]0;evil\u0007text`, 'text'],
  ['a link', `${ESC}]8;;https://x.example${ESC}\\text${ESC}]8;;${ESC}\\`, 'text'],
  ['a lone escape', `a${ESC}`, 'a\u241b'],
  ['a sequence that never ends', `a${ESC}[31`, 'a\u241b[31'],
  ['a bell and a NUL', 'a\u0007b\u0000', 'a\u2407b\u2400'],
  ['text from right to left by force', 'user\u202egnp.exe', 'user\u27e8U+202E\u27e9gnp.exe'],
  ['a tab', 'a\tb', 'a\tb'],
  ['a move far to the right', `${ESC}[999999999CX`, `${' '.repeat(500)}X`],
])('%s', (_, raw, shown) => {
  expect(plainText(settleLine(raw, PLAIN).text)).toBe(shown)
})

test('carriage returns within a line take a time that grows with their number alone', () => {
  expect(plainText(settleLine(`${'\r'.repeat(1_000_000)}x`, PLAIN).text)).toBe('x')
})

test('overwritten text keeps no color', () => {
  const { text } = settleLine(`${ESC}[31mred${ESC}[0m\rok`, PLAIN)
  expect(text).toBe(`ok${ESC}[31md`)
})

test('a color that was not reset continues on the next line', () => {
  const first = settleLine(`${ESC}[1;31mError:`, PLAIN)
  expect(codesOf(first.style)).toBe(`${ESC}[1;31m`)
  expect(settleLine('  at main', first.style).text).toBe(`${ESC}[1;31m  at main`)
  expect(settleLine(`done${ESC}[m`, first.style).style).toBe(PLAIN)
})

test.each([
  ['31', `${ESC}[31m`],
  ['1;31;22', `${ESC}[31m`],
  ['1;2;22', ''],
  ['38;5;208;1', `${ESC}[1;38;5;208m`],
  ['38;2;255;100;0', `${ESC}[38;2;255;100;0m`],
  ['31;39', ''],
  ['97;44;49', `${ESC}[97m`],
  ['4;24;31;0', ''],
  ['1;1;1', `${ESC}[1m`],
  ['38', `${ESC}[38m`],
])('%s leads to %j', (params, codes) => {
  expect(codesOf(styleAfter(PLAIN, params))).toBe(codes)
})
