// Deliveries as GitHub sends them, to a platform that runs in a process of its own.
import { createHmac, randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { Client } from '@shipway/api'
import { until } from '../journey.ts'

export type SentDelivery = {
  readonly event: 'push' | 'pull_request'
  readonly payload: unknown
  readonly id?: string
}

export type Answered = {
  readonly id: string
  readonly status: number
  readonly verdict: string
  readonly reason: string | null
  readonly ms: number
}

/** One connection to one platform, kept open; sends its deliveries one after the other. */
export function openHook(url: string, secret: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    send: ({ event, payload, id = randomUUID() }: SentDelivery): Promise<Answered> => {
      const body = JSON.stringify(payload)
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'x-github-event': event,
        'x-github-delivery': id,
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      }
      const begun = performance.now()
      return new Promise((resolve, reject) => {
        const sent = request(url, { method: 'POST', agent, headers }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => {
            const { verdict = '', reason = null } = JSON.parse(Buffer.concat(chunks).toString())
            resolve({ id, status: response.statusCode ?? 0, verdict, reason, ms: performance.now() - begun })
          })
        })
        sent.on('error', reject)
        sent.end(body)
      })
    },
    close: () => agent.destroy(),
  }
}

/** What a delivery came to. On a busy machine it takes effect after its answer, and the project's list of deliveries says so. */
export async function outcomeOf(
  client: Client,
  projectId: number,
  { id, verdict, reason }: Pick<Answered, 'id' | 'verdict' | 'reason'>,
): Promise<{ readonly verdict: string; readonly reason: string | null }> {
  if (verdict !== 'stored') return { verdict, reason }
  return until(async () => {
    const deliveries = await client.listDeliveries({ params: { id: projectId } })
    const kept = deliveries.find(({ delivery_id: deliveryId }) => deliveryId === id)
    return kept && kept.verdict !== 'stored' ? { verdict: kept.verdict, reason: kept.reason } : undefined
  }, 'the delivery takes effect')
}

const NONE = '0'.repeat(40)

export const pushTo = (branch: string, { before = NONE, after }: { before?: string; after: string }) => ({
  ref: `refs/heads/${branch}`,
  before,
  after,
  deleted: false,
  forced: false,
  head_commit: { id: after, message: 'Change' },
  repository: { id: 1 },
})

type PullRequest = { readonly number: number; readonly branch: string; readonly sha: string; readonly at?: number }

export const pullRequestWas = (
  action: 'opened' | 'closed' | 'merged',
  { number, branch, sha, at = 0 }: PullRequest,
) => ({
  action: action === 'merged' ? 'closed' : action,
  number,
  pull_request: {
    number,
    title: `Pull request ${number}`,
    html_url: `https://github.com/acme/app/pull/${number}`,
    user: { login: 'ada' },
    head: { ref: branch, sha, repo: { id: 1 } },
    base: { ref: 'main', sha: NONE, repo: { id: 1 } },
    draft: false,
    merged: action === 'merged',
    updated_at: new Date(1_800_000_000_000 + at * 1000).toISOString(),
  },
  repository: { id: 1 },
})
