// Why a task that somebody asked for was started, by what they signed in with.
import type { TaskCause } from '@shipway/api/tasks'
import type { Credential } from '../people/actor.ts'

export function causeOf({ kind }: Credential): TaskCause {
  return CAUSES[kind]
}

const CAUSES: Readonly<Record<Credential['kind'], TaskCause>> = { session: 'dashboard', oauth: 'cli', personal: 'api' }
