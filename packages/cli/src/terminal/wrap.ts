// Breaks a text into lines between its words.

/** A single word may be longer than `columns`. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= Math.max(20, columns)) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}
