// Asks the running platform whether it is ready, which version it is, and how many of its answers were errors.
import { request } from 'node:http'
import type { Config } from '../../config.ts'
import { ownMetricsTokenOf } from '../../secrets/own-metrics-token.ts'
import { loadOwnKey } from '../keys.ts'

export type RequestCounts = { readonly requests: number; readonly errors: number }

export type Probe = {
  /** The version that is ready; undefined if none answers so. */
  readyVersion(): Promise<string | undefined>
  becomesReady(version: string, withinMs: number): Promise<boolean>
  /** Since the process started; undefined if it cannot be read. */
  countRequests(): Promise<RequestCounts | undefined>
}

const LIMIT_MS = 3_000

export async function createProbe(config: Config): Promise<Probe> {
  const token = ownMetricsTokenOf(await loadOwnKey(config))
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}) => get(config, path, headers)
  const readyVersion = async (): Promise<string | undefined> => {
    const answer = await ask('/readyz')
    return answer?.status === 200 ? answer.version : undefined
  }
  return {
    readyVersion,
    becomesReady: async (version, withinMs) => {
      const end = performance.now() + withinMs
      while (performance.now() < end) {
        if ((await readyVersion()) === version) return true
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
      return false
    },
    countRequests: async () => {
      const answer = await ask('/metrics', { authorization: `Bearer ${token.reveal()}` })
      return answer?.status === 200 ? countsOf(answer.text) : undefined
    },
  }
}

type Answer = { readonly status: number; readonly version: string | undefined; readonly text: string }

/** At the address where the platform listens, by the name that people use. Undefined if there is no answer. */
function get({ host, port, baseUrl }: Config, path: string, headers: Readonly<Record<string, string>>) {
  const hostname = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  const options = { hostname, port, path, agent: false as const, headers: { host: new URL(baseUrl).host, ...headers } }
  return new Promise<Answer | undefined>((resolve) => {
    const asked = request({ ...options, signal: AbortSignal.timeout(LIMIT_MS) }, async (answer) => {
      try {
        const chunks: Buffer[] = []
        for await (const chunk of answer) chunks.push(Buffer.from(chunk))
        const version = answer.headers['x-service-version']
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: answer.statusCode ?? 0, version: typeof version === 'string' ? version : undefined, text })
      } catch {
        // It broke off: there is no answer.
        resolve(undefined)
      }
    })
    asked.on('error', () => resolve(undefined))
    asked.end()
  })
}

/** From the metrics: answers of the platform itself, those with 5xx among them. */
export function countsOf(metrics: string): RequestCounts {
  const counts = { requests: 0, errors: 0 }
  for (const [, status = '', count = '0'] of metrics.matchAll(
    /^shipway_requests_total\{.*status="(\d+)".*\} (\d+)$/gm,
  )) {
    counts.requests += Number(count)
    if (status.startsWith('5')) counts.errors += Number(count)
  }
  return counts
}
