// The root certificates that the operator of the platform trusts git hosts by.
import { readFileSync } from 'node:fs'
import { CannotStart } from '../../domain/cannot-start.ts'

export function readAuthorities(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new CannotStart(`The file of SHIPWAY_GIT_CA_FILE cannot be read: ${file}`, { cause })
  }
}
