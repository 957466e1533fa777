// Measures what we promise, as ratios in one run: `npm run bench`, or `npm run bench -- requests embedded`.
import { benchClient } from './client.ts'
import { benchDashboard } from './dashboard.ts'
import { benchDockerDeployments } from './deploy-docker.ts'
import { benchManualDeployments } from './deploy-manual.ts'
import { benchEdge } from './edge.ts'
import { benchLists } from './lists.ts'
import { benchLive } from './live.ts'
import { benchMask } from './mask.ts'
import { benchMetrics } from './metrics.ts'
import { benchNewcomer } from './newcomer.ts'
import { benchOutput } from './output.ts'
import { benchQueue } from './queue.ts'
import { benchRequests } from './requests.ts'
import { benchServiceLogs } from './service-logs.ts'
import { benchSilentServers } from './silent-servers.ts'
import { benchStops } from './stops.ts'
import { benchUnread } from './unread.ts'
import { holds, sentence, type Verdict } from './verdict.ts'
import { benchWebhooks } from './webhooks.ts'

const benches = {
  requests: async (name: 'embedded' | 'postgres') => [await benchRequests(name)],
  lists: benchLists,
  queue: benchQueue,
  servers: benchSilentServers,
  deploy: benchManualDeployments,
  docker: (name: 'embedded' | 'postgres') => (name === 'embedded' ? benchDockerDeployments() : []),
  output: benchOutput,
  live: benchLive,
  'service-logs': (name: 'embedded' | 'postgres') => (name === 'embedded' ? benchServiceLogs() : []),
  dashboard: (name: 'embedded' | 'postgres') => (name === 'embedded' ? benchDashboard() : []),
  client: (name: 'embedded' | 'postgres') => (name === 'embedded' ? benchClient() : []),
  webhooks: benchWebhooks,
  mask: (name: 'embedded' | 'postgres') => (name === 'embedded' ? benchMask() : []),
  metrics: benchMetrics,
  edge: (name: 'embedded' | 'postgres') => (name === 'embedded' ? benchEdge() : []),
  unread: benchUnread,
  newcomer: (name: 'embedded' | 'postgres') => (name === 'embedded' ? benchNewcomer() : []),
  stops: (name: 'embedded' | 'postgres') => (name === 'embedded' ? benchStops() : []),
}

const words = process.argv.slice(2)
const isAsked = (word: string, all: readonly string[]): boolean =>
  words.includes(word) || !all.some((other) => words.includes(other))

const verdicts: Verdict[] = []
for (const name of ['embedded', 'postgres'] as const) {
  if (!isAsked(name, ['embedded', 'postgres'])) continue
  for (const [bench, run] of Object.entries(benches)) {
    if (!isAsked(bench, Object.keys(benches))) continue
    for (const verdict of await run(name)) {
      verdicts.push(verdict)
      console.log(sentence(verdict))
    }
  }
}
if (!verdicts.every(holds)) process.exitCode = 1
