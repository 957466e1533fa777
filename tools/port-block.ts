// Ports for the environments of one platform: platforms of tests share this machine, and each begins to count at the first.
import { once } from 'node:events'
import { createServer } from 'node:net'

const FIRST_PORT = 20_000
const BLOCKS = 100
const PORTS = 100

export type PortBlock = {
  /** As the platform's setting has it. */
  readonly range: string
  release(): Promise<void>
}

/** Held by a socket with a name and no file, so that the kernel gives it back when the process dies. Linux only, as the tests are. */
export async function takePortBlock(): Promise<PortBlock> {
  const from = Math.floor(Math.random() * BLOCKS)
  for (let turn = 0; turn < BLOCKS; turn++) {
    const block = (from + turn) % BLOCKS
    const lock = createServer().listen(`\0shipway-test-ports-${block}`)
    const isOurs = await once(lock, 'listening').then(
      () => true,
      () => false,
    )
    if (!isOurs) continue
    const first = FIRST_PORT + block * PORTS
    return {
      range: `${first}-${first + PORTS - 1}`,
      release: async () => {
        lock.close()
        await once(lock, 'close')
      },
    }
  }
  throw new Error('Every block of ports is taken by a platform of some test')
}
