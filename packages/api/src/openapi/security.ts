// The ways to sign in, as security schemes of the OpenAPI document.
import type { Route, Scope } from '../route.ts'
import type { OpenApiDocument, Security } from './document.ts'

/** Scopes are defined by `oauth`; a personal token needs the same ones. */
export function securityOf(route: Pick<Route, 'permission' | 'scope' | 'sessionOnly'>): Security {
  if (route.permission === 'public') return []
  if (route.sessionOnly) return [{ session: [] }]
  return [{ bearer: [] }, { oauth: route.scope === 'none' ? [] : [route.scope] }, { session: [] }]
}

/** Most operations only read. */
export const USUAL_SECURITY: Security = securityOf({ permission: 'read', scope: 'read' })

/**
 * OpenAPI 3.1 has no name for the device flow, which is the only one. It stands under the name that OpenAPI 3.2 has for it,
 * marked as an extension: a name of another flow would send clients to endpoints that do not exist.
 */
export const securitySchemes = (baseUrl: string): OpenApiDocument['components']['securitySchemes'] => ({
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A personal token (shw_pat_…) or an access token (shw_at_…). It needs the scope that the operation names in `x-scope`',
  },
  oauth: {
    type: 'oauth2',
    description: `The device flow (RFC 8628); the metadata are at ${baseUrl}/.well-known/oauth-authorization-server`,
    flows: {
      'x-deviceAuthorization': {
        deviceAuthorizationUrl: `${baseUrl}/oauth/device_authorization`,
        tokenUrl: `${baseUrl}/oauth/token`,
        refreshUrl: `${baseUrl}/oauth/token`,
        scopes: WHAT_SCOPE,
      },
    },
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: baseUrl.startsWith('https:') ? '__Host-shipway_session' : 'shipway_session',
    description: 'The cookie that signing in sets; changes with it must come from the dashboard itself',
  },
})

export const WHAT_SCOPE: Readonly<Record<Scope, string>> = {
  read: 'See projects, environments, tasks, output and variable keys',
  deploy: 'Deploy, cancel, run actions, make and change environments',
  'vars:write': 'Set and unset variables',
  ssh: 'Ask for SSH certificates',
  admin: 'Projects, servers, members, tokens and the account',
}
