// The API of a git host on this machine: keeps every request, and answers what the test says.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type HostRequest = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every call pass through here
  readonly body: any
}

type RefusedWith = { readonly status: number; readonly headers: Readonly<Record<string, string>> }

const isRefusal = (answer: object): answer is RefusedWith => 'status' in answer && 'headers' in answer

export type GitHostApi = {
  readonly base: string
  /** Everything that was asked so far. */
  readonly requests: HostRequest[]
  /** `POST /path` and what to answer to it: a status alone or with headers, or the JSON of a success. */
  readonly answers: Map<string, number | object | RefusedWith>
  stop(): Promise<void>
}

export async function startGitHostApi(): Promise<GitHostApi> {
  const requests: HostRequest[] = []
  const answers = new Map<string, number | object>()
  let id = 100
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const { method = '', url: path = '', headers } = request
    requests.push({ method, path, headers, body: text === '' ? undefined : JSON.parse(text) })
    const known = [...answers].find(([key]) => `${method} ${path}`.startsWith(key))?.[1]
    const answer = known ?? (method === 'GET' ? [] : { id: id++ })
    const refusal = typeof answer === 'object' && isRefusal(answer) ? answer : undefined
    const status = typeof answer === 'number' ? answer : (refusal?.status ?? 200)
    response.writeHead(status, {
      'content-type': 'application/json',
      ...refusal?.headers,
      ...(status === 302 && { location: '/elsewhere' }),
    })
    response.end(status === 204 ? '' : typeof answer === 'number' ? '{}' : JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    base: `http://127.0.0.1:${port}`,
    requests,
    answers,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
