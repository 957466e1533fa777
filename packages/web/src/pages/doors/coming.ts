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
  getPlatform: () => ask<Platform>('/api/platform'),
}

async function ask<Answer>(path: string): Promise<Answer> {
  const answer = await fetch(path)
  if (!answer.ok) throw new ApiError(answer.status, 'This platform cannot do that yet')
  return answer.json()
}
