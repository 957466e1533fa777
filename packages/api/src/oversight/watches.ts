// Watching an environment: everybody for themselves.
import { z } from 'zod'
import { IdParams } from '../page.ts'
import { route } from '../route.ts'

export const watchRoutes = {
  getWatch: route({
    method: 'GET',
    path: '/api/environments/{id}/watch',
    summary: 'Whether you watch an environment',
    description: 'For the user who asks.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    success: 200,
    answer: z.object({ watched: z.boolean() }),
  }),
  watchEnvironment: route({
    method: 'PUT',
    path: '/api/environments/{id}/watch',
    summary: 'Watch an environment: you get a mail when a deployment of it fails, and when one succeeds again',
    description: 'Has no effect where you watch it already.',
    permission: 'read',
    scope: 'deploy',
    params: IdParams,
    success: 204,
  }),
  unwatchEnvironment: route({
    method: 'DELETE',
    path: '/api/environments/{id}/watch',
    summary: 'Watch an environment no longer',
    description: 'Has no effect where you do not watch it.',
    permission: 'read',
    scope: 'deploy',
    params: IdParams,
    success: 204,
  }),
}
