// What deployments print and people call things, as a terminal would be sent it.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { coloredLines, plainLines, plainText } from './sanitize.ts'

/** Each does something to a terminal that prints it as it is. */
const hostile: readonly (readonly [name: string, text: string, plain: string])[] = [
  ['clears the screen', 'a\u001b[2J\u001b[Hb', 'ab'],
  ['turns a word into a link', '\u001b]8;;javascript:alert(1)\u0007click\u001b]8;;\u0007', 'click'],
  ['fills the clipboard', '\u001b]52;c;ZWNobyBwd24=\u0007', ''],
  ['sets the title', '\u001b]0;root@host\u001b\\ok', 'ok'],
  ['asks the terminal to answer', '\u001bP+q544e\u001b\\', ''],
  ['colors by C1', '\u009b31mred', 'red'],
  ['a string by C1', '\u009d52;c;eA==\u009cx', 'x'],
  ['control characters', 'a\u0000\u0001\u0002\u0007\u0008b', 'ab'],
  ['an end of line inside', '\r\nHTTP/1.1 200 OK', '\nHTTP/1.1 200 OK'],
  ['writes over its beginning', 'failed\rsucceeded', 'failed\nsucceeded'],
  ['turns the direction around', 'abc\u202edcba\u2066x', 'abcdcbax'],
  ['takes no room', 'pay\u200bload\ufeff', 'payload'],
  ['tags', 'a\u{e0049}\u{e0047}b', 'ab'],
  ['an escape within an escape', '\u001b\u001b[2J[2J', '[2J'],
  ['a string without an end', 'a\u001b]52;c;eA==', 'a'],
  ['a string that would swallow the next line', 'a\u001b]0;x\nb', 'a\nb'],
  ['an unfinished sequence', 'a\u001b[', 'a'],
  ['a full reset', '\u001bcx', 'x'],
  ['another set of characters', '\u001b(0lqk', 'lqk'],
  [
    'looks like the platform',
    '2026-01-01T00:00:00Z [platform] Deployment succeeded',
    '2026-01-01T00:00:00Z [platform] Deployment succeeded',
  ],
]

describe('text that is printed without colors', () => {
  test.each(hostile)('%s', (_name, text, plain) => {
    expect(plainLines(text)).toBe(plain)
    expect(plainText(text)).toBe(plain.replaceAll(/[\t\n]+/g, ' '))
  })

  test('ordinary text of any language stays as it is', () => {
    const text = 'Größe\t漢字 🚀 e\u0301 עברית\nnext'
    expect(plainLines(text)).toBe(text)
  })
})

describe('text that keeps its colors', () => {
  test.each(hostile)('%s', (_name, text, plain) => {
    expect(coloredLines(text).replaceAll(COLORS, '')).toBe(plain)
  })

  test.each([
    ['\u001b[1;31mred\u001b[0m', '\u001b[1;31mred\u001b[0m\u001b[0m'],
    ['\u001b[38;5;200mpink', '\u001b[38;5;200mpink\u001b[0m'],
    ['\u001b[38;2;1;2;3mx', '\u001b[38;2;1;2;3mx\u001b[0m'],
    ['\u009b32mgreen', '\u001b[32mgreen\u001b[0m'],
    ['\u001b[32mtwo\nlines', '\u001b[32mtwo\u001b[0m\nlines'],
    ['\u001b[8mhidden', 'hidden'],
    ['\u001b[5mblinking', 'blinking'],
    ['\u001b[1;8mhidden too', 'hidden too'],
    ['\u001b[>4;2mkeyboard', 'keyboard'],
  ])('%j', (text, expected) => {
    expect(coloredLines(text)).toBe(expected)
  })
})

/** What a terminal might do something about. */
const pieces = fc.array(
  fc.constantFrom(
    '\u001b',
    '[',
    ']',
    '0',
    '31',
    ';',
    'm',
    'J',
    '\u0007',
    '\\',
    '\u009b',
    '\u009d',
    '\u0090',
    'P',
    '\n',
    '\r',
    'x',
    '\ufdd0',
    '?',
    '\u202e',
  ),
  { maxLength: 40 },
)

// biome-ignore lint/suspicious/noControlCharactersInRegex: colors are all that may be left
const COLORS = /\u001b\[[0-9;]*m/g

test('of any input, only colors are left', () => {
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = parts.join('')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
      const forbidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/
      expect(plainLines(text)).not.toMatch(forbidden)
      expect(coloredLines(text).replaceAll(COLORS, '')).not.toMatch(forbidden)
    }),
  )
})

test('a megabyte of unclosed sequences is fast', () => {
  const startedAt = process.cpuUsage()
  for (const opening of [
    '\u001b]',
    '\u001b[',
    '\u001bP',
    '\u001b[1;',
    '\u001b[22222222222222222222222222222222222229x',
    '\u001b',
  ])
    coloredLines(opening.repeat(200_000))
  expect(process.cpuUsage(startedAt).user / 1e6).toBeLessThan(5)
})
