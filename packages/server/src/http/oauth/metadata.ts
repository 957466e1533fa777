// Where a client finds out how to sign in: RFC 8414 of the OAuth server, RFC 9728 of the API that it protects.
import { SCOPES } from '@shipway/api/route'

export const serverMetadata = (baseUrl: string) => ({
  issuer: baseUrl,
  device_authorization_endpoint: `${baseUrl}/oauth/device_authorization`,
  token_endpoint: `${baseUrl}/oauth/token`,
  revocation_endpoint: `${baseUrl}/oauth/revocation`,
  grant_types_supported: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
  response_types_supported: [],
  scopes_supported: SCOPES,
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  service_documentation: `${baseUrl}/api/reference`,
})

export const resourceMetadata = (baseUrl: string) => ({
  resource: `${baseUrl}/api`,
  authorization_servers: [baseUrl],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
  resource_documentation: `${baseUrl}/api/reference`,
})
