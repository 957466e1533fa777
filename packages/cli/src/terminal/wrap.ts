// Breaks a text into lines between its words.

/** None is longer than that, but for a word that is. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= Math.max(20, columns)) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}
