// Text for a terminal without UTF-8: our own symbols become ASCII characters, others become question marks.

export const toAscii = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything but ASCII
  text.replaceAll(/[^\u0000-\u007f]/gu, (sign) => LETTERS[sign] ?? '?')

/** One column each, so that measured widths stay correct. */
const LETTERS: Readonly<Record<string, string>> = {
  '✓': '+',
  '✗': 'x',
  '·': '-',
  '…': '~',
  '–': '-',
  '’': "'",
  ...Object.fromEntries([...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'].map((sign, index) => [sign, '|/-\\'.charAt(index % 4)])),
}
