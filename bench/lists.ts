// p99 of the list endpoints on an installation of years against an empty one, asked in turns in the same run.
import { once } from 'node:events'
import { connect } from 'node:net'
import { type DatabaseName, type Platform, startPlatform } from '../tools/platform.ts'
import { fill } from './fill.ts'
import { median, type Verdict } from './verdict.ts'

const YEARS = { projects: 1000, environments: 20_000, tasks: 1_000_000 }
/** One project and one environment, or there would be nothing to list environments and tasks of. */
const EMPTY = { projects: 1, environments: 1, tasks: 0 }
const WARM_UP_ROUNDS = 4
const ROUNDS = 9
const REQUESTS = 2000

export async function benchLists(name: DatabaseName): Promise<Verdict[]> {
  const years = await startPlatform(name, (database) => fill(database, YEARS))
  const empty = await startPlatform(name, (database) => fill(database, EMPTY))
  const paths = ['/api/projects', '/api/servers', '/api/projects/1/environments', '/api/environments/1/tasks']
  const verdicts: Verdict[] = []
  for (const path of paths) {
    const rounds: { years: number; empty: number }[] = []
    // Until the code of both is compiled as far as it will be.
    for (let round = 0; round < WARM_UP_ROUNDS; round++) {
      await p99(empty, path)
      await p99(years, path)
    }
    for (let round = 0; round < ROUNDS; round++)
      rounds.push({ empty: await p99(empty, path), years: await p99(years, path) })
    const figure = median(rounds.map((round) => round.years)) / median(rounds.map((round) => round.empty))
    const detail = rounds.map((round) => `${round.years.toFixed(2)}/${round.empty.toFixed(2)}`).join(' ')
    verdicts.push({
      what: `p99 of ${path}, 1,000,000 tasks against none (${name})`,
      figure,
      atMost: 2,
      detail: `${detail} ms`,
    })
  }
  await years.stop()
  await empty.stop()
  return verdicts
}

/** One request after the other: the time of each, not the queue before it. */
async function p99(platform: Filled, path: string): Promise<number> {
  const asker = await openAsker(platform, path)
  const times: number[] = []
  for (let count = 0; count < REQUESTS; count++) {
    const start = performance.now()
    await asker.ask()
    times.push(performance.now() - start)
  }
  asker.close()
  return times.sort((a, b) => a - b)[Math.floor(REQUESTS * 0.99)] ?? Number.NaN
}

type Filled = Platform & { readonly filled: { readonly token: string } }

/**
 * A client that reads into one buffer. One that takes memory for each answer has to collect it between others, which takes longer than an
 * answer: of the large ones that was more than one in a hundred, so the p99 was that of the client.
 */
async function openAsker({ url, filled: { token } }: Filled, path: string) {
  const { host, hostname, port } = new URL(url)
  const request = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n\r\n`
  const buffer = Buffer.alloc(1024 * 1024)
  /** Bytes of the answer that are still to come; its head is not read yet where there is no such number. */
  let missing: number | undefined
  let answered = Promise.withResolvers<void>()
  const hear = (bytes: number): boolean => {
    missing = (missing ?? lengthOf(buffer.toString('latin1', 0, bytes))) - bytes
    if (missing === 0) answered.resolve()
    return true
  }
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread: { buffer, callback: hear } })
  socket.on('error', (error) => answered.reject(error))
  socket.on('close', () => answered.reject(new Error(`${url}${path} closed the connection`)))
  await once(socket, 'connect')
  return {
    ask: (): Promise<void> => {
      missing = undefined
      answered = Promise.withResolvers()
      socket.write(request)
      return answered.promise
    },
    close: () => socket.destroy(),
  }
}

/** Of head and body. */
function lengthOf(beginning: string): number {
  const [, head = '', bytes] =
    /^(HTTP\/1\.1 200 .*?\r\n(?:.*\r\n)*?content-length: (\d+)\r\n(?:.+\r\n)*\r\n)/i.exec(beginning) ?? []
  if (bytes === undefined) throw new Error(`It answered: ${beginning.slice(0, 1000)}`)
  return head.length + Number(bytes)
}
