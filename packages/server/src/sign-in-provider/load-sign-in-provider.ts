// The provider of the settings, with the client secret from its file where it is in one.
import { readFile } from 'node:fs/promises'
import { CannotStart } from '../domain/cannot-start.ts'
import { Secret } from '../secrets/secret.ts'
import { createSignInProvider, type ProviderSettings, type SignInProvider } from './sign-in-provider.ts'

type Settings = {
  readonly baseUrl: string
  readonly allowedNetworks: readonly string[]
  readonly oidc:
    | (Omit<ProviderSettings, 'redirectUri' | 'allowedNetworks' | 'clock'> & {
        readonly clientSecretFile: string | undefined
      })
    | undefined
}

export async function loadSignInProvider(
  { baseUrl, allowedNetworks, oidc }: Settings,
  clock: () => number,
): Promise<SignInProvider | undefined> {
  if (!oidc) return undefined
  const { clientSecretFile, clientSecret, ...settings } = oidc
  return createSignInProvider({
    ...settings,
    clientSecret: clientSecretFile === undefined ? clientSecret : await readSecret(clientSecretFile),
    redirectUri: `${baseUrl}/sign-in/provider`,
    allowedNetworks,
    clock,
  })
}

async function readSecret(file: string): Promise<Secret> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new CannotStart(
      `SHIPWAY_OIDC_CLIENT_SECRET_FILE: ${file} cannot be read. Check its name and who may read it`,
      {
        cause,
      },
    )
  })
  if (text.trim() === '') throw new CannotStart(`SHIPWAY_OIDC_CLIENT_SECRET_FILE: ${file} is empty`)
  return new Secret(text.trim())
}
