// fetch that renews the sign-in: if the platform refuses a token, it repeats the request once with a new one.
import { CommandError } from '../command-error.ts'
import { type Access, RENEW_TOKEN } from '../credentials/access.ts'
import { EXIT } from '../exit-code.ts'
import { parseAnswer } from './answer-limits.ts'

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

/** The platform refused a call because of SHIPWAY_TOKEN. Signing in would not help while it is set. */
async function TokenRefused(response: Response, instance: string): Promise<CommandError> {
  const { code, request_id } = readProblem(await response.text())
  const isExpired = code === 'token_expired'
  return new CommandError(
    `${new URL(instance).host} refused SHIPWAY_TOKEN: it ${isExpired ? 'has expired' : 'is not valid there'}`,
    {
      code: isExpired ? 'token_expired' : 'invalid_token',
      exitCode: EXIT.signIn,
      advice: [RENEW_TOKEN],
      fields: { status: response.status, request_id },
    },
  )
}

function readProblem(text: string): Record<string, unknown> {
  try {
    return { ...Object(parseAnswer(text)) }
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
