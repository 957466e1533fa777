// How long requests take, one after the other over one connection.
import { Agent, request } from 'node:http'

type Ask = { readonly method: 'GET' | 'PATCH'; readonly path: string; readonly body?: unknown }

export function openAsker(url: string, token: string): { ask(asked: Ask): Promise<number>; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return {
    ask: ({ method, path, body }) => {
      const start = performance.now()
      return new Promise((resolve, reject) => {
        const asked = request(url + path, { agent, headers, method }, (answer) => {
          if (answer.statusCode !== 200) reject(new Error(`${method} ${path} answered ${answer.statusCode}`))
          answer.resume().on('end', () => resolve(performance.now() - start))
        })
        asked.on('error', reject)
        asked.end(body === undefined ? undefined : JSON.stringify(body))
      })
    },
    close: () => agent.destroy(),
  }
}

export const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN
