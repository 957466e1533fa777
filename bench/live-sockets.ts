// Many readers of the live channel, in a process of their own. Told by the first argument as JSON what to open, it prints a line when
// all are subscribed, and at the end of its input the delays that it saw.
import { createInterface } from 'node:readline'
import { LIVE_SUBPROTOCOL } from '@shipway/api'
import { WebSocket } from 'ws'

type Reading = {
  readonly url: string
  /** They share the readers: one user may not have many. */
  readonly tokens: readonly string[]
  /** Topics of each reader. */
  readonly readers: readonly (readonly string[])[]
}

const reading: Reading = JSON.parse(process.argv[2] ?? '')
const delays: number[] = []
let bytes = 0
await Promise.all(reading.readers.map((topics, index) => openReader(topics, index)))
console.log('subscribed')
for await (const _line of createInterface({ input: process.stdin })) break
console.log(JSON.stringify({ delays, bytes }))
process.exit()

function openReader(topics: readonly string[], index: number): Promise<void> {
  const token = reading.tokens[index % reading.tokens.length]
  const socket = new WebSocket(reading.url, LIVE_SUBPROTOCOL, {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
  })
  return new Promise((resolve, reject) => {
    let left = topics.length
    socket.on('error', reject)
    socket.on('close', (code) => reject(new Error(`Closed with ${code}`)))
    socket.on('open', () => {
      for (const topic of topics) socket.send(JSON.stringify({ type: 'subscribe', id: topic, topic }))
    })
    socket.on('message', (data) => {
      const now = Date.now()
      const text = String(data)
      bytes += text.length
      if (text.startsWith('{"type":"subscribed"') && --left === 0) resolve()
      for (const [, printedAt] of text.matchAll(/printed at (\d{13})/g)) delays.push(now - Number(printedAt))
    })
  })
}
