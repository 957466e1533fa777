// Stands in for routes that the contract does not name yet, under the names that they will have there.
import { ApiError, type Check, type Environment } from '@shipway/api'

export type ServerHealth = {
  readonly server_id: number
  readonly checked_at: string | null
  readonly checks: readonly Check[]
  readonly disk: { readonly free_bytes: number; readonly total_bytes: number } | null
  readonly tasks: { readonly running: number; readonly at_once: number }
  readonly environments: readonly (Pick<Environment, 'id' | 'name' | 'status'> & {
    readonly project: { readonly id: number; readonly name: string }
  })[]
}
export type Session = {
  readonly id: number
  readonly kind: 'session' | 'oauth'
  readonly created_at: string
  readonly last_used_at: string | null
  readonly expires_at: string
  readonly address: string | null
  readonly is_current: boolean
}
export type Platform = {
  readonly version: string
  readonly database: string
  readonly base_url: string
  readonly sends_mail: boolean
  readonly open_organizations: boolean
  readonly counts: Readonly<
    Record<'users' | 'organizations' | 'projects' | 'environments' | 'servers' | 'active_tasks', number>
  >
}
type IdParams = { readonly params: { readonly id: number } }

export const coming = {
  getServerHealth: ({ params }: IdParams) => ask<ServerHealth>(`/api/servers/${params.id}/health`),
  listSessions: () => ask<readonly Session[]>('/api/sessions'),
  deleteSession: ({ params }: IdParams) => ask<undefined>(`/api/sessions/${params.id}`, 'DELETE'),
  getPlatform: () => ask<Platform>('/api/platform'),
}

async function ask<Answer>(path: string, method = 'GET'): Promise<Answer> {
  const answer = await fetch(path, { method })
  if (!answer.ok) throw new ApiError(answer.status, 'This platform cannot do that yet')
  const text = await answer.text()
  return JSON.parse(text === '' ? 'null' : text)
}
