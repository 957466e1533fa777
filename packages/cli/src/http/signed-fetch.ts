// fetch that renews the sign-in: if the platform refuses a token, it repeats the request once with a new one.
import type { Access } from '../credentials/access.ts'
import { TokenRefused } from './token-refused.ts'

export function signedFetch(send: typeof fetch, access: Access): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init)
    if (response.status !== 401) return response
    if (access.kind === 'token') throw await TokenRefused(response, access.instance)
    const headers = new Headers(init?.headers)
    const refused = headers.get('authorization')?.replace(/^Bearer /, '')
    const token = refused === undefined ? undefined : await access.tokenAfter(refused)
    if (token === undefined) return response
    await response.body?.cancel()
    headers.set('authorization', `Bearer ${token}`)
    return send(input, { ...init, headers })
  }
}
