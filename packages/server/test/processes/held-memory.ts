// What memory is held: garbage is collected first, also what earlier tests have left in the process.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
export const collect: () => void = runInNewContext('gc')

export function heldBytes(): number {
  // The memory of buffers is given back behind a collection, and at the latest when the next one begins.
  collect()
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
