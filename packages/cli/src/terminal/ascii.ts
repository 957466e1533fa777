// Text for a terminal that knows no UTF-8: our own signs have a letter that means the same, others become question marks.

export const toAscii = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything but ASCII
  text.replaceAll(/[^\u0000-\u007f]/gu, (sign) => LETTERS[sign] ?? '?')

/** One column each, so that what was measured stays true. */
const LETTERS: Readonly<Record<string, string>> = {
  '✓': '+',
  '✗': 'x',
  '·': '-',
  '…': '~',
  '–': '-',
  '’': "'",
  ...Object.fromEntries([...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'].map((sign, index) => [sign, '|/-\\'.charAt(index % 4)])),
}
