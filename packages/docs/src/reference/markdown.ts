// Markdown from texts of the code.

/** Text that Markdown shows as it is. */
export const plain = (text: string): string => text.replaceAll(/[\\`*_[\]<>#]/g, (mark) => `\\${mark}`)

export const code = (text: string): string => `\`${text}\``

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  // A bar would end a cell, even in code.
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

export const fence = (lines: readonly string[]): string => ['```', ...lines, '```'].join('\n')
