// How long a delivery takes to be refused, by what is wrong with it: the times must not tell whether there is such a hook. Beyond a
// mebibyte they may: the body to an unknown hook is not read.
import { createHmac, randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { createClient } from '@shipway/api'
import { buildOwner } from '../e2e/journey.ts'
import { type DatabaseName, startPlatform } from '../tools/platform.ts'
import { median, type Verdict } from './verdict.ts'

const ROUNDS = 300
const HOSTS = ['github', 'gitlab', 'gitea', 'bitbucket'] as const

export async function benchRefusals(name: DatabaseName): Promise<readonly Verdict[]> {
  // Far above the usual rate limit of an address.
  const settings = { SHIPWAY_REFUSED_DELIVERIES_PER_MINUTE: '1000000' }
  const platform = await startPlatform(name, (database) => buildOwner(database), settings)
  try {
    const hooks = await createHooks(platform.url, platform.filled.token)
    const verdicts: Verdict[] = []
    for (const bytes of [2_000, 1_000_000]) {
      const medians = await timeRefusals(hooks, bytes)
      const times = medians.map(({ ms }) => ms)
      verdicts.push({
        what: `the slowest refusal of ${bytes} bytes against the quickest, by hook and signature (${name})`,
        figure: Math.max(...times) / Math.min(...times),
        atMost: 1.3,
        detail: medians.map(({ cause, ms }) => `${cause} ${ms.toFixed(2)} ms`).join(', '),
      })
    }
    return verdicts
  } finally {
    await platform.stop()
  }
}

type Hook = { readonly name: string; readonly url: string }

/** One project for every git host, and an unknown hook. */
async function createHooks(baseUrl: string, token: string): Promise<readonly Hook[]> {
  const client = createClient({ baseUrl, token: () => token })
  const server = await client.createServer({ body: { name: 'Server', hostname: '127.0.0.1', connection: 'ssh' } })
  const hooks: Hook[] = [{ name: 'unknown', url: `${baseUrl}/api/webhooks/${randomBytes(18).toString('base64url')}` }]
  for (const host of HOSTS) {
    const { webhook } = await client.createProject({
      body: {
        name: host,
        repo_url: 'ssh://git@127.0.0.1:1/app.git',
        repository_host: host,
        domain: `${host}.localhost`,
        server_ids: [server.id],
      },
    })
    hooks.push({ name: host, url: `${baseUrl}${new URL(webhook.url).pathname}` })
  }
  return hooks
}

/** Interleaved in random order, so that other load on the machine affects all alike. */
async function timeRefusals(hooks: readonly Hook[], bytes: number) {
  const body = Buffer.alloc(bytes, 'x')
  const causes = hooks.flatMap((hook) => [
    { cause: `${hook.name}, wrong`, url: hook.url, headers: wronglySigned(body) },
    { cause: `${hook.name}, unsigned`, url: hook.url, headers: {} },
  ])
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times = new Map(causes.map(({ cause }) => [cause, [] as number[]]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const { cause, url, headers } of causes.toSorted(() => Math.random() - 0.5)) {
      times.get(cause)?.push(await timeRefusal(url, { agent, headers, body }))
    }
  }
  agent.destroy()
  return [...times].map(([cause, all]) => ({ cause, ms: median(all) }))
}

/** In every dialect at once. */
function wronglySigned(body: Buffer): Record<string, string> {
  const hex = createHmac('sha256', 'wrong').update(body).digest('hex')
  return {
    'x-hub-signature-256': `sha256=${hex}`,
    'x-hub-signature': `sha256=${hex}`,
    'x-gitea-signature': hex,
    'x-gitlab-token': hex,
  }
}

function timeRefusal(
  url: string,
  { agent, headers, body }: { agent: Agent; headers: Record<string, string>; body: Buffer },
): Promise<number> {
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const all = { ...headers, 'content-type': 'application/json', 'content-length': body.length }
    const sent = request(url, { method: 'POST', agent, headers: all }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 401) resolve(performance.now() - begun)
        else reject(new Error(`${url} was answered with ${response.statusCode}`))
      })
    })
    sent.on('error', reject).end(body)
  })
}
