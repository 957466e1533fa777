// Tokens of installations. One lasts an hour; it is kept in memory alone until shortly before its end.
import { z } from 'zod'
import { AppFault } from '../../domain/repository/app-fault.ts'
import { Secret } from '../../secrets/secret.ts'
import type { AppCalls } from './app-calls.ts'
import { askForApp, findInstallation } from './app-installations.ts'
import type { InstalledApp } from './github-app.ts'

/** A token for calls of the API has all permissions of the App. For git, which only reads, it has one. */
type TokenUse = 'api' | 'git'

type KeptToken = { readonly token: Secret; readonly goodUntil: number }

export type InstallationTokens = ReturnType<typeof createInstallationTokens>

/** A token is not used in its last minutes: a fetch can take some. */
const SPARE_MS = 12 * 60_000

export function createInstallationTokens(calls: AppCalls, clock: () => number) {
  const tokens = new Map<string, Promise<KeptToken>>()

  const createToken = async (app: InstalledApp, use: TokenUse): Promise<KeptToken> => {
    const path = `/app/installations/${app.installationId}/access_tokens`
    const narrowed = use === 'git' && { body: { permissions: { contents: 'read' } } }
    const answer = await calls
      .callAsApp(app, { method: 'POST', path, ...narrowed })
      .catch((error: unknown) => explainRefusal(calls, app, error))
    const { token, expires_at: expiresAt } = TokenAnswer.parse(answer)
    return { token: new Secret(token), goodUntil: Date.parse(expiresAt) - SPARE_MS }
  }

  const askForToken = (app: InstalledApp, use: TokenUse): Promise<KeptToken> => {
    const key = keyOf(app, use)
    const asked = createToken(app, use)
    tokens.set(key, asked)
    asked.catch(() => tokens.get(key) === asked && tokens.delete(key))
    return asked
  }

  return {
    /** Callers at the same time share one request. */
    async find(app: InstalledApp, use: TokenUse): Promise<Secret> {
      const key = keyOf(app, use)
      const kept = tokens.get(key)
      const known = await kept
      if (known && known.goodUntil > clock()) return known.token
      const begun = tokens.get(key)
      return (await (begun === kept || !begun ? askForToken(app, use) : begun)).token
    },

    async drop(app: InstalledApp, token: Secret): Promise<void> {
      // A request that fails is dropped by itself.
      for (const key of [keyOf(app, 'api'), keyOf(app, 'git')])
        if ((await tokens.get(key)?.catch(() => undefined))?.token === token) tokens.delete(key)
    },

    forget(connectionId: number): void {
      for (const key of tokens.keys()) if (key.startsWith(`${connectionId} `)) tokens.delete(key)
    },
  }
}

/** A missing installation can mean that the whole App is gone, and a 403 has other reasons than a suspension. */
async function explainRefusal(calls: AppCalls, app: InstalledApp, error: unknown): Promise<never> {
  const code = error instanceof AppFault ? error.code : undefined
  if (code === 'not_installed') await askForApp(calls, app)
  if (code === 'suspended' && !(await findInstallation(calls, app, app.installationId)).isSuspended)
    throw new AppFault('failed', { cause: error })
  throw error
}

const keyOf = ({ connectionId, installationId }: InstalledApp, use: TokenUse): string =>
  `${connectionId} ${installationId} ${use}`

const TokenAnswer = z.object({ token: z.string().min(1).max(10_000), expires_at: z.iso.datetime() })
