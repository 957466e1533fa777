// Finds a free port of this machine, and reserves it for this process.
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/**
 * Below the system's ephemeral ports, and above those that the platform allocates: a program that is killed and started again finds its
 * port free, however many connections others have opened meanwhile.
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
 * Reserves the port for this process by a socket name, because its program may be restarted while other tests look for ports. The name
 * begins with a zero byte, so it is no file, and the kernel frees it when the process dies. Works on Linux only.
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
