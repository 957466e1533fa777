// Masks the words of a command for people: the list of tasks and the audit log show them.
import type { Mask } from './mask.ts'

/** One text where a value goes across words. */
export function maskWords(mask: Pick<Mask, 'text'>, words: readonly string[]): readonly string[] {
  const masked = words.map((word) => mask.text(word))
  const line = masked.join(' ')
  const maskedLine = mask.text(line)
  return maskedLine === line ? masked : [maskedLine]
}
