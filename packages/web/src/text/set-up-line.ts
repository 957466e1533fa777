// Sentences about a server that end with its set-up line, which is shown apart from them, to be copied.
type Parts = { readonly words: string; readonly hasLine: boolean }

export function splitLine(text: string, line: string | null): Parts {
  if (line === null || !text.endsWith(line)) return { words: text, hasLine: false }
  return { words: text.slice(0, -line.length).trim(), hasLine: true }
}

/** For places that show the line already. */
export const withoutLine = (text: string, line: string | null): string =>
  splitLine(text, line).words.replace(/\s*The set-up line:$/, '')
