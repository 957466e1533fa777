// What the program says without loading anything else: its help and its version.
import { catalogue } from './catalogue.ts'
import { helpOfProgram } from './help.ts'
import { VERSION } from './version.ts'

/** Undefined for whatever takes more than that. */
export function quickAnswer([word, ...more]: readonly string[], columns: number): string | undefined {
  if (more.length > 0) return undefined
  if (word === '--help' || word === '-h' || word === 'help') return helpOfProgram(catalogue, columns)
  return word === '--version' || word === '-V' ? `shipway ${VERSION}\n` : undefined
}
