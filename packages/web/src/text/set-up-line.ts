// Splits the setup command from sentences that end with it, so that it can be copied.
type SplitText = { readonly words: string; readonly hasLine: boolean }

export function splitLine(text: string, line: string | null): SplitText {
  if (line === null || !text.endsWith(line)) return { words: text, hasLine: false }
  return { words: text.slice(0, -line.length).trim(), hasLine: true }
}

/** For pages that already show the command. */
export const withoutLine = (text: string, line: string | null): string =>
  splitLine(text, line)
    .words.replace(/The set-up line:$/, '')
    .trimEnd()
