// The word on or off of a command.
import { UsageError } from '../command-error.ts'

export function readOnOff(word: string): boolean {
  if (word !== 'on' && word !== 'off') throw UsageError('Give on or off')
  return word === 'on'
}
