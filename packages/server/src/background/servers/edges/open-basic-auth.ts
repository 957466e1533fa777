// Opens the sealed password that a domain asks for: the environment's own, or its project's.
import type { Context } from '../../../context.ts'
import { environmentPasswordContext, projectContext } from '../../../domain/encryption-context.ts'
import { type BasicAuth, basicAuthOf } from '../../../edge/route.ts'
import type { EdgeEntry } from '../../../store/environments/routes.ts'

export function openBasicAuth(
  ctx: Pick<Context, 'box'>,
  { environmentId, basicAuth }: Pick<EdgeEntry, 'environmentId' | 'basicAuth'>,
): BasicAuth | null {
  if (!basicAuth) return null
  const place =
    basicAuth.hookId === null
      ? environmentPasswordContext(environmentId)
      : projectContext(basicAuth.hookId, 'basic_auth_password_sealed')
  return basicAuthOf(basicAuth.username, ctx.box.open(basicAuth.passwordSealed, place))
}
