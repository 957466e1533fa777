// Where a user is signed in: sessions of the dashboard, and the command line with its OAuth sign-in.
import { z } from 'zod'
import { IdParams } from './page.ts'
import { route } from './route.ts'
import { IdParam, Time } from './values/ids.ts'

export const Session = z.object({
  id: z.string().describe('Names it here and opens nothing'),
  kind: z.enum(['session', 'oauth']).describe('`session`: a browser with the dashboard. `oauth`: the command line'),
  created_at: Time,
  last_used_at: Time.nullable().describe(
    'To the minute. Of the command line: when it last fetched a token, which it does every hour that it is used',
  ),
  expires_at: Time.describe('When it ends by itself, unless it is used before'),
  address: z.string().nullable().describe('Where it was started, where that is known'),
  user_agent: z.string().nullable().describe('What the browser called itself; null for the command line'),
  is_current: z.boolean().describe('This very call came with it'),
})
export type Session = z.infer<typeof Session>

export const sessionRoutes = {
  listSessions: route({
    method: 'GET',
    path: '/api/sessions',
    summary: 'Where you are signed in, last used first',
    description:
      'The hundred of each kind that were used last, without what opens them. Personal tokens are listed at `/api/tokens`. A ' +
      'token that is bound to one organization does not see them.',
    permission: 'signed_in',
    scope: 'admin',
    success: 200,
    answer: z.array(Session),
  }),
  deleteSession: route({
    method: 'DELETE',
    path: '/api/sessions/{id}',
    summary: 'Sign out somewhere else',
    description:
      'Ends a session, or a sign-in of the command line with all its tokens, at once: live connections too. The one that the ' +
      'call came with may be named as well.',
    permission: 'signed_in',
    scope: 'admin',
    params: z.object({ id: z.string().max(80) }),
    success: 204,
  }),
  listUserSessions: route({
    method: 'GET',
    path: '/api/users/{id}/sessions',
    summary: 'Where a user is signed in, last used first',
    description:
      'For platform administrators. Like `/api/sessions` of that user; `is_current` marks the session of the caller.',
    permission: 'platform_admin',
    scope: 'admin',
    params: IdParams,
    success: 200,
    answer: z.array(Session),
  }),
  deleteUserSession: route({
    method: 'DELETE',
    path: '/api/users/{id}/sessions/{session_id}',
    summary: 'Sign a user out somewhere',
    description: 'For platform administrators. Ends it at once, with its live connections. The audit log records it.',
    permission: 'platform_admin',
    scope: 'admin',
    params: z.object({ id: IdParam, session_id: z.string().max(80) }),
    success: 204,
  }),
  deleteUserSessions: route({
    method: 'DELETE',
    path: '/api/users/{id}/sessions',
    summary: 'Sign a user out everywhere',
    description:
      'For platform administrators. Ends every session and every OAuth sign-in of the user. Personal tokens stay: see ' +
      '`DELETE /api/users/{id}/tokens`. The audit log records it.',
    permission: 'platform_admin',
    scope: 'admin',
    params: IdParams,
    success: 204,
  }),
  deleteUserTokens: route({
    method: 'DELETE',
    path: '/api/users/{id}/tokens',
    summary: 'Revoke the personal tokens of a user',
    description:
      'For platform administrators, such as after a laptop was lost. Calls with any of the tokens are refused from then on. The audit log ' +
      'records it.',
    permission: 'platform_admin',
    scope: 'admin',
    params: IdParams,
    success: 200,
    answer: z.object({ revoked: z.number().int() }),
  }),
}
