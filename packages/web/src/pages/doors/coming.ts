// Stands in for routes that the contract does not name yet, under the names that they will have there.
import { ApiError, type Scope } from '@shipway/api'

export type SetUpState = { readonly is_set_up: boolean; readonly sends_mail: boolean }
export type DeviceRequest = {
  readonly user_code: string
  readonly client_name: string
  readonly address: string
  readonly created_at: string
  readonly scopes: readonly Scope[]
  readonly is_elsewhere: boolean
}
type CodeParams = { readonly params: { readonly user_code: string } }
type Decision = { readonly body: { readonly decision: 'approve' | 'deny' } }

export const coming = {
  getSetUp: () => ask<SetUpState>('/api/setup'),
  getDeviceRequest: ({ params }: CodeParams) =>
    ask<DeviceRequest>(`/api/device-requests/${encodeURIComponent(params.user_code)}`),
  answerDeviceRequest: ({ params, body }: CodeParams & Decision) =>
    ask<undefined>(`/api/device-requests/${encodeURIComponent(params.user_code)}`, body),
}

async function ask<Answer>(path: string, body?: object): Promise<Answer> {
  const sent = body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const answer = await fetch(path, sent)
  if (!answer.ok) throw new ApiError(answer.status, 'This platform cannot do that yet')
  const text = await answer.text()
  return JSON.parse(text === '' ? 'null' : text)
}
