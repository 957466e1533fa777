// An environment and its settings as lines.
import type { Durations, Environment, Silence, Traffic } from '@shipway/api'
import { stateOf } from '../tasks/environment-state.ts'
import { fieldLines } from '../terminal/fields.ts'
import { plainText } from '../terminal/sanitize.ts'
import { ago, duration, fromNow } from '../terminal/times.ts'
import { memory } from '../terminal/usage.ts'

export type EnvironmentFacts = {
  readonly environment: Environment
  readonly traffic: Traffic
  readonly durations: Durations
  readonly silence: Silence
  readonly watched: boolean
}

export function environmentLines(title: string, facts: EnvironmentFacts): string[] {
  const { environment, traffic, durations, silence, watched } = facts
  const { pull_request: request, live } = environment
  return [
    `${title} (${environment.id}) · ${stateOf(environment, undefined)}`,
    '',
    ...fieldLines([
      ['Title', environment.title === environment.name ? undefined : plainText(environment.title)],
      ['Address', plainText(environment.url)],
      ['Pull request', request && `#${request.number} ${plainText(request.title)} · ${request.state}`],
      ['Branch', `${plainText(environment.branch)}${environment.auto_deploy ? '' : ' · not deployed on pushes'}`],
      ['Serves', live && `${live.commit_sha?.slice(0, 7) ?? 'a version'} since ${ago(live.since)}`],
      ['Task', environment.active_task && `${environment.active_task.id} · ${environment.active_task.status}`],
      ['Waits for', waitsFor(environment)],
      ['Recipe', environment.effective_recipe],
      ['Server', plainText(environment.server.name)],
      ['Limits', limitsOf(environment)],
      ['Basic auth', basicAuthOf(environment)],
      ['Owner', `${plainText(environment.owner.name)}${environment.sticky ? ' · sticky' : ''}`],
      ['Expires', environment.expires_at && fromNow(environment.expires_at)],
      ['Variables', environment.variables_changed ? 'changed since the last deployment' : undefined],
      ['Deploys in', durations.duration_ms === null ? undefined : `usually ${duration(durations.duration_ms)}`],
      ['Schedules', schedulesOf(environment)],
      ['Requests', requestsOf(traffic)],
      ['Alerts', silenceOf(silence)],
      ['Mails', watched ? 'you get one when a deployment fails' : undefined],
      ['Created', ago(environment.created_at)],
    ]),
  ]
}

function waitsFor({ waiting_for_checks: waiting }: Environment): string | undefined {
  if (waiting === null) return undefined
  const names = waiting.checks.length === 0 ? 'checks' : waiting.checks.map(plainText).join(', ')
  return `${names} of ${waiting.commit_sha.slice(0, 7)} · ${waiting.state.replace('_', ' ')}`
}

function limitsOf({ limits: { cpus, memory_mb, processes } }: Environment): string {
  const words = [
    ...(cpus === null ? [] : [`${cpus} CPUs`]),
    ...(memory_mb === null ? [] : [`${memory(memory_mb * 1024 * 1024)} memory`]),
    ...(processes === null ? [] : [`${processes} processes`]),
  ]
  return words.length === 0 ? 'none' : `${words.join(', ')} for each container`
}

const basicAuthOf = ({ basic_auth: auth }: Environment): string | undefined =>
  auth ? `${plainText(auth.username)}${auth.inherited ? ' · from the project' : ''}` : undefined

const schedulesOf = ({ schedules }: Environment): string | undefined =>
  schedules === null ? undefined : schedules ? 'all run here' : 'paused'

const requestsOf = ({ requests, errors, since }: Traffic): string | undefined =>
  since === null ? undefined : `${requests} since ${ago(since)}, ${errors} failed`

function silenceOf({ silenced, until }: Silence): string | undefined {
  if (!silenced) return undefined
  return until === null ? 'silenced' : `silenced, ends ${fromNow(until)}`
}
