// Checks a server with one script in one round trip, within half a minute. Updates the program that reads logs there.
import type { Check } from '@shipway/api/servers'
import type { RuntimeName } from '@shipway/api/values/runtime'
import { sourcePolicyScript } from '../../commands/docker/source-policy.ts'
import { joinScripts, loadScript, shell } from '../../commands/script.ts'
import { ServerNotReached } from '../../domain/errors.ts'
import { StepFault } from '../../domain/tasks/step-fault.ts'
import { type Host, ServerUnreachable } from '../host.ts'
import { installReader } from '../output/install-reader.ts'
import { withinDeadline } from '../within-deadline.ts'
import { type Expectations, listServerChecks } from './server-checks.ts'
import { readServerFacts, type ServerFacts } from './server-facts.ts'

export type CheckOptions = Omit<Expectations, 'clockMs' | 'letsPeopleIn'> & {
  readonly installationId: string
  readonly runtime: RuntimeName
  /** The platform's folder on the server; undefined if it is in the user's home. */
  readonly folder: string | undefined
  readonly deadlineMs?: number
  /** The people whom the machine should let in; undefined if that is not known yet. */
  readonly people?: { readonly authorityKey: string; readonly principal: string } | undefined
  /** Includes why the platform could not sign in to a server that it has never signed in to. */
  readonly showsDetails?: boolean
}

export type Inspection = {
  readonly checks: readonly Check[]
  /** The fullest disk that deployments need; null if it could not be measured. */
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number } | null
  /** Whether the server accepts people's certificates; undefined if that was not checked. */
  readonly letsPeopleIn?: boolean | undefined
}

/** Throws ServerNotReached and ServerTimeout, which say what to do. */
export async function checkServer(host: Host, options: CheckOptions): Promise<Inspection> {
  const { installationId, folder = '-', edge, runtime, people, deadlineMs = 30_000 } = options
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
  const reader = await updateReader(host, facts, { runtime, deadlineMs: Math.max(1000, deadlineMs - (end - begin)) })
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
    checks: [connection, ...listServerChecks(facts, { ...options, clockMs, letsPeopleIn }), ...reader],
    disk: disk ? { freeBytes: disk.free * 1024, totalBytes: disk.total * 1024 } : null,
    letsPeopleIn,
  }
}

const script = joinScripts(sourcePolicyScript, loadScript(import.meta.url, 'check'))

/** Updates the program that reads logs. Reports only a failure. */
async function updateReader(
  host: Host,
  { folder, isWritable }: ServerFacts,
  { runtime, deadlineMs }: { readonly runtime: RuntimeName; readonly deadlineMs: number },
): Promise<Check[]> {
  if (!isWritable || !folder.startsWith('/')) return []
  try {
    await withinDeadline(host, deadlineMs, (signal) => installReader(host, folder, { runtime, signal }))
    return []
  } catch (error) {
    if (!(error instanceof StepFault)) throw error
    const fix = 'See that the disk is not full, and check again'
    return [{ name: 'log_reader', status: 'warning', message: `The logs cannot be read: ${error.message}`, fix }]
  }
}

/**
 * The public sentence hides what ssh said. Callers who may see that get it as the message, with the public sentence as the cause. The
 * set-up line fixes most of these problems.
 */
function notReached(error: ServerUnreachable, { showsDetails, setUpLine }: CheckOptions): Error {
  const line = error.stage === 'auth' && setUpLine !== null ? ` The set-up line: ${setUpLine}` : ''
  const publicError = ServerNotReached(error.stage, `${error.message}${line}`)
  if (!showsDetails || !(error.cause instanceof ServerUnreachable)) return publicError
  return ServerNotReached(error.cause.stage, `${error.cause.message}${line}`, publicError)
}

/** How far a time is outside of the span in which it was taken. The round trip does not count as an error of the clock. */
function distance(time: number, begin: number, end: number): number {
  return Math.max(begin - time, time - end, 0)
}
