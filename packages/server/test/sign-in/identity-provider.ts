// A real OpenID Connect provider on the loopback, which signs every caller in as the person that the test names.
import { generateKeyPairSync } from 'node:crypto'
import { Provider } from 'oidc-provider'
import { serve } from '../loopback.ts'

export type ProviderPerson = {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
}

export type IdentityProvider = {
  readonly issuer: string
  /** Who is signed in there from now on; undefined says no. */
  become(person: ProviderPerson | undefined): void
  /** Goes the way of a browser from the address that the platform gave, and answers what it came back with. */
  visit(url: string): Promise<Record<string, string>>
  close(): Promise<void>
}

export const PROVIDER_CLIENT = { id: 'shipway-platform', secret: 'secret-of-the-client' }

/** `redirectUri` is asked for at the first request: a platform is told of its provider before it has an address itself. */
export async function startIdentityProvider(redirectUri: () => string): Promise<IdentityProvider> {
  const people = new Map<string, ProviderPerson>()
  let current: ProviderPerson | undefined
  let provider: Provider | undefined
  const loopback = await serve((request, response) => {
    provider ??= createProvider({ issuer, redirectUri: redirectUri(), people })
    if (!request.url?.startsWith('/interaction/')) return void provider.callback()(request, response)
    const result = current ? { login: { accountId: current.sub } } : { error: 'access_denied' }
    void provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  })
  const issuer = `http://127.0.0.1:${loopback.port}`
  return {
    issuer,
    become: (person) => {
      current = person
      if (person) people.set(person.sub, person)
    },
    visit: (url) => followRedirects(url, redirectUri()),
    close: () => loopback.close(),
  }
}

type Served = {
  readonly issuer: string
  readonly redirectUri: string
  readonly people: ReadonlyMap<string, ProviderPerson>
}

function createProvider({ issuer, redirectUri, people }: Served): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: PROVIDER_CLIENT.id,
        client_secret: PROVIDER_CLIENT.secret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })] },
    cookies: { keys: ['cookies of the test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ ...people.get(id), sub: id }) }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
}

/** As a new browser without a session. */
async function followRedirects(url: string, redirectUri: string): Promise<Record<string, string>> {
  const cookies = new Map<string, string>()
  let next = url
  for (let hops = 0; hops < 10; hops++) {
    if (next.startsWith(redirectUri)) return Object.fromEntries(new URL(next).searchParams)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(next, { redirect: 'manual', headers: { cookie } })
    await answer.body?.cancel()
    for (const set of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';', 1)[0] ?? '').split('=')
      cookies.set(name, value)
    }
    next = new URL(answer.headers.get('location') ?? '', next).href
  }
  throw new Error(`The provider leads on and on, to ${next}`)
}
