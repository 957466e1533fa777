// The cause of a task that a user started: the kind of client.
import type { TaskCause } from '@shipway/api/tasks'
import type { Actor } from '../people/actor.ts'

/** For display only, never for decisions: a program may send any name. */
export function causeOf({ credential: { kind }, program }: Pick<Actor, 'credential' | 'program'>): TaskCause {
  return kind === 'session' ? 'dashboard' : (program ?? (kind === 'oauth' ? 'cli' : 'api'))
}

/** The programs of ours by what they call themselves in User-Agent; undefined for all others. */
export function programOf(userAgent: string | undefined): 'cli' | 'mcp' | undefined {
  const [, name] = /^shipway-(cli|mcp)\//.exec(userAgent ?? '') ?? []
  return name === 'cli' || name === 'mcp' ? name : undefined
}
