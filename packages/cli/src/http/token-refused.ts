// The failure of a call that the platform refused because of SHIPWAY_TOKEN. Signing in would not help while it is set.
import { CommandError } from '../command-error.ts'
import { RENEW_TOKEN } from '../credentials/access.ts'
import { EXIT } from '../exit-code.ts'
import { parseAnswer } from './answer-limits.ts'

export async function TokenRefused(response: Response, instance: string): Promise<CommandError> {
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
