// Reserves a range of ports for the environments of one platform: several platforms share this machine in tests.
import { once } from 'node:events'
import { createServer } from 'node:net'

const FIRST_PORT = 20_000
const BLOCKS = 100
const PORTS = 100

export type PortBlock = {
  /** In the format of the platform's setting. */
  readonly range: string
  release(): Promise<void>
}

/** Reserved by an abstract socket, so that the kernel frees it when the process dies. Linux only, like the tests. */
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
