// Followers of service logs in a process of their own. Each line begins with its number: a follower notes which are missing.
// Words: the reading as JSON. Prints a line when each has got one, or after a minute, and the result when standard input ends.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { LIVE_SUBPROTOCOL } from '@shipway/api'
import { WebSocket } from 'ws'

export type LogFollowers = {
  readonly url: string
  readonly token: string
  readonly followers: readonly { readonly environmentId: number; readonly grep?: string }[]
}
export type Followed = {
  readonly environmentId: number
  readonly grep: string | undefined
  readonly lines: number
  readonly bytes: number
  readonly lagged: number
  /** Lines that are missing or twice, without the platform having said so. */
  readonly wrong: number
}

/** Every so many lines have the word that is searched for. */
const GREP_EVERY = 1000

const { url, token, followers }: LogFollowers = JSON.parse(process.argv[2] ?? '')
const results = await Promise.all(followers.map(follow))
const deadline = performance.now() + 60_000
while (results.some((result) => result().lines === 0) && performance.now() < deadline) await sleep(100)
console.log('followed')
process.stdin.resume()
await once(process.stdin, 'end')
console.log(JSON.stringify(results.map((result) => result())))
process.exit(0)

async function follow({ environmentId, grep }: LogFollowers['followers'][number]): Promise<() => Followed> {
  const socket = new WebSocket(url, [LIVE_SUBPROTOCOL], { headers: { authorization: `Bearer ${token}` } })
  await once(socket, 'open')
  const options = { tail: 0, ...(grep !== undefined && { grep }) }
  const topic = `environment:${environmentId}:output`
  const seen = { lines: 0, bytes: 0, lagged: 0, wrong: 0 }
  const step = grep === undefined ? 1 : GREP_EVERY
  let last: number | undefined
  const take = (message: string): void => {
    if (message.startsWith('{"type":"lagged"')) {
      seen.lagged++
      last = undefined
    }
    const at = message.indexOf('"text":"')
    if (at < 0) return
    const number = Number.parseInt(message.slice(at + 8, at + 20), 10)
    seen.lines++
    if (last !== undefined && number !== last + step) seen.wrong++
    last = number
  }
  const subscribed = once(socket, 'message')
  socket.send(JSON.stringify({ type: 'subscribe', id: 'a', topic, options }))
  const [first] = await subscribed
  if (!String(first).includes('"subscribed"')) throw new Error(String(first))
  socket.on('message', (data) => {
    const frame = String(data)
    seen.bytes += frame.length
    for (const message of frame.split('\n')) take(message)
  })
  return () => ({ environmentId, grep, ...seen })
}
