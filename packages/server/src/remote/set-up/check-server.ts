// Looks at a server: one script in one round trip, within half a minute. The program that reads logs there is brought up to date.
import type { Check } from '@shipway/api/servers'
import { sourcePolicyScript } from '../../commands/docker/source-policy.ts'
import { joinScripts, loadScript, shell } from '../../commands/script.ts'
import { ServerNotReached } from '../../domain/errors.ts'
import { StepFault } from '../../domain/tasks/step-fault.ts'
import { type Host, ServerUnreachable } from '../host.ts'
import { putReader } from '../output/put-reader.ts'
import { withinDeadline } from '../within-deadline.ts'
import { type Expectations, judgeServer } from './server-checks.ts'
import { readServerFacts, type ServerFacts } from './server-facts.ts'

export type CheckOptions = Omit<Expectations, 'clockMs' | 'letsPeopleIn'> & {
  readonly installationId: string
  /** The platform's folder on the server; undefined where it lies in the user's home. */
  readonly folder: string | undefined
  readonly deadlineMs?: number
  /** Whom else the machine should let in; undefined where that is not known yet. */
  readonly people?: { readonly authorityKey: string; readonly principal: string } | undefined
  /** Also why the platform could not sign in to a server that it never signed in to. */
  readonly tellsAll?: boolean
}

export type Inspection = {
  readonly checks: readonly Check[]
  /** The fullest one that deployments need; null where nobody could measure it. */
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number } | null
  /** Whether people can be let in there with certificates; undefined where nobody asked. */
  readonly letsPeopleIn?: boolean | undefined
}

/** Throws ServerNotReached and ServerTimeout, which say what to do. */
export async function checkServer(host: Host, options: CheckOptions): Promise<Inspection> {
  const { installationId, folder = '-', edge, people, deadlineMs = 30_000 } = options
  const begin = Date.now()
  const asked = people ? [people.authorityKey, people.principal] : []
  const command = shell(script, 'shipway-check', folder, installationId, edge, ...asked)
  const { stdout, exitCode } = await withinDeadline(host, deadlineMs, (signal) => host.run(command, { signal })).catch(
    (error: unknown) => {
      throw error instanceof ServerUnreachable ? notReached(error, options) : error
    },
  )
  const facts = readServerFacts(stdout.toString())
  if (!facts)
    throw ServerNotReached(
      'auth',
      `The server ${host.name} ran the check and ended with ${exitCode}, without a word. See that the user has a POSIX shell`,
    )
  const end = Date.now()
  const reader = await bringReader(host, facts, Math.max(1000, deadlineMs - (end - begin)))
  const clockMs = distance(facts.time * 1000, begin - 1000, end)
  const connection = {
    name: 'connection',
    status: 'ok',
    message: `The platform reached ${host.name} as ${facts.user}`,
    fix: null,
  } as const
  const { disk } = facts
  const letsPeopleIn = people && facts.letsPeopleIn
  return {
    checks: [connection, ...judgeServer(facts, { ...options, clockMs, letsPeopleIn }), ...reader],
    disk: disk ? { freeBytes: disk.free * 1024, totalBytes: disk.total * 1024 } : null,
    letsPeopleIn,
  }
}

const script = joinScripts(sourcePolicyScript, loadScript(import.meta.url, 'check'))

/** What reads the output of environments there is brought to this version. Nothing is said of it unless that fails. */
async function bringReader(host: Host, { folder, isWritable }: ServerFacts, deadlineMs: number): Promise<Check[]> {
  if (!isWritable || !folder.startsWith('/')) return []
  try {
    await withinDeadline(host, deadlineMs, (signal) => putReader(host, folder, { signal }))
    return []
  } catch (error) {
    if (!(error instanceof StepFault)) throw error
    const fix = 'See that the disk is not full, and check again'
    return [{ name: 'log_reader', status: 'warning', message: `The logs cannot be read: ${error.message}`, fix }]
  }
}

/**
 * Beneath the sentence for everybody lies what ssh said. Whoever is told that gets the other sentence as the cause. The line is what mends
 * most of it.
 */
function notReached(error: ServerUnreachable, { tellsAll, setUpLine }: CheckOptions): Error {
  const line = error.stage === 'auth' && setUpLine !== null ? ` The set-up line: ${setUpLine}` : ''
  const forEverybody = ServerNotReached(error.stage, `${error.message}${line}`)
  if (!tellsAll || !(error.cause instanceof ServerUnreachable)) return forEverybody
  return ServerNotReached(error.cause.stage, `${error.cause.message}${line}`, forEverybody)
}

/** How far a time lies outside of the span in which it was taken: what the round trip took is no fault of the clock. */
function distance(time: number, begin: number, end: number): number {
  return Math.max(begin - time, time - end, 0)
}
