// Proves a new private key of an App: GitHub must accept it before it replaces the earlier one.
import { createPrivateKey } from 'node:crypto'
import type { Context } from '../../../context.ts'
import type { Connection } from '../../../domain/connection.ts'
import { connectionContext } from '../../../domain/encryption-context.ts'
import { InvalidField } from '../../../domain/errors.ts'
import { AppFault } from '../../../domain/repository/app-fault.ts'
import { Secret } from '../../../secrets/secret.ts'
import { asGitHostFault } from './as-git-host-fault.ts'

/** The columns for an update of the connection. */
export async function proveAppKey(ctx: Context, connection: Connection, privateKey: string) {
  const app = ctx.credentials.openApp(connection)
  if (!app) throw InvalidField('/private_key', 'not_used', 'This connection has no GitHub App')
  demandRsaKey(privateKey)
  const key = new Secret(privateKey)
  await ctx.connectedHosts.waitTurn(connection.organizationId, () =>
    ctx.gitHubApps.verifyKey({ ...app, openKey: () => key }).catch((error: unknown) => {
      if (error instanceof AppFault && error.code === 'key_refused')
        throw InvalidField(
          '/private_key',
          'key_refused',
          'GitHub does not know this key as one of the App. If the App was deleted, create a new one from the connection',
        )
      return asGitHostFault(error)
    }),
  )
  ctx.gitHubApps.forget(connection.id)
  const private_key_sealed = ctx.box.seal(key, connectionContext(connection.sealId, 'private_key_sealed'))
  const status = connection.app?.installationId == null ? ('pending' as const) : ('active' as const)
  const working = connection.status === 'failing' && { status, status_reason: null }
  return { private_key_sealed, checked_at: ctx.clock(), ...working }
}

function demandRsaKey(text: string): void {
  const type = keyTypeOf(text)
  if (type !== 'rsa')
    throw InvalidField(
      '/private_key',
      'invalid_key',
      'Give the whole file that GitHub generated, with its first and last line',
    )
}

function keyTypeOf(text: string): string | undefined {
  try {
    return createPrivateKey(text).asymmetricKeyType
  } catch (error) {
    // OpenSSL says in many ways that it cannot read a text.
    if (error instanceof Error) return undefined
    throw error
  }
}
