// A port of this machine that nobody listens on at the moment.
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below those that the system gives to outgoing connections, and above those that the platform allots: what is killed and started
 * again finds its port free, however many connections others have made meanwhile.
 */
const [FIRST_PORT, LAST_PORT] = [30_000, 32_767]

export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1)
    if (await isFree(port)) return port
  }
  throw new Error(`No port between ${FIRST_PORT} and ${LAST_PORT} is free`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const outcome = await Promise.race([
    once(server, 'listening').then(() => true),
    once(server, 'error').then(() => false),
  ]).catch(() => false)
  if (!outcome) return false
  server.close()
  await once(server, 'close')
  return true
}
