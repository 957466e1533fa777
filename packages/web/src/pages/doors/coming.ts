// Stands in for routes that the contract does not name yet, under the names that they will have there.
import { ApiError, type Check, type Environment, type Scope } from '@shipway/api'

export type SetUpState = { readonly is_set_up: boolean; readonly sends_mail: boolean }
export type DeviceRequest = {
  readonly user_code: string
  readonly client_name: string
  readonly address: string
  readonly created_at: string
  readonly scopes: readonly Scope[]
  readonly is_elsewhere: boolean
}
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
type CodeParams = { readonly params: { readonly user_code: string } }
type Decision = { readonly body: { readonly decision: 'approve' | 'deny' } }

export const coming = {
  getSetUp: () => ask<SetUpState>('/api/setup'),
  getDeviceRequest: ({ params }: CodeParams) =>
    ask<DeviceRequest>(`/api/device-requests/${encodeURIComponent(params.user_code)}`),
  answerDeviceRequest: ({ params, body }: CodeParams & Decision) =>
    ask<undefined>(`/api/device-requests/${encodeURIComponent(params.user_code)}/answer`, { method: 'POST', body }),
  getServerHealth: ({ params }: IdParams) => ask<ServerHealth>(`/api/servers/${params.id}/health`),
  listSessions: () => ask<readonly Session[]>('/api/sessions'),
  deleteSession: ({ params }: IdParams) => ask<undefined>(`/api/sessions/${params.id}`, { method: 'DELETE' }),
  getPlatform: () => ask<Platform>('/api/platform'),
}

async function ask<Answer>(
  path: string,
  { method = 'GET', body }: { method?: string; body?: object } = {},
): Promise<Answer> {
  const answer = await fetch(path, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  if (!answer.ok) throw new ApiError(answer.status, 'This platform cannot do that yet')
  const text = await answer.text()
  return JSON.parse(text === '' ? 'null' : text)
}
