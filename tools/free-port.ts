// A port of this machine that nobody listens on at the moment, and that no other test is given while this process lives.
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/**
 * Below those that the system gives to outgoing connections, and above those that the platform allots: what is killed and started
 * again finds its port free, however many connections others have made meanwhile.
 */
const [FIRST_PORT, LAST_PORT] = [30_000, 32_767]

export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1)
    if ((await isTaken(port)) && (await isFree(port))) return port
  }
  throw new Error(`No port between ${FIRST_PORT} and ${LAST_PORT} is free`)
}

/**
 * Takes it for this process: whoever listens there may be killed and started again, and others look for ports meanwhile. The name
 * begins with a zero byte, so it is no file, and the kernel gives it back when the process dies. Elsewhere than on Linux nobody knows.
 */
async function isTaken(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return true
  return listens(createServer().unref().listen(`\0shipway-test-port-${port}`))
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  if (!(await listens(server))) return false
  server.close()
  await once(server, 'close')
  return true
}

function listens(server: Server): Promise<boolean> {
  return once(server, 'listening').then(
    () => true,
    () => false,
  )
}
