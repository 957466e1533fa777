// Servers that are a Docker Swarm: how machines join, which nodes get containers, and how many containers a service has.
import { z } from 'zod'
import { IdParams } from './page.ts'
import { route } from './route.ts'
import { SwarmNode } from './servers.ts'
import { Id } from './values/ids.ts'

const MOST_REPLICAS = 100
const Replicas = z.int().min(1).max(MOST_REPLICAS)

export const Scale = z.object({
  environment_id: Id,
  services: z.array(
    z.object({
      name: z.string(),
      replicas: Replicas.nullable().describe('Chosen here; null: as the compose file says'),
    }),
  ),
})
export type Scale = z.infer<typeof Scale>

const NodeParams = IdParams.extend({ node: z.string() })

export const swarmRoutes = {
  joinServer: route({
    method: 'POST',
    path: '/api/servers/{id}/join',
    summary: 'The line that makes a machine a node of a Swarm',
    description: 'It holds a secret that the platform does not keep.',
    permission: 'administer',
    scope: 'admin',
    params: IdParams,
    body: z.strictObject({ role: z.enum(['worker', 'manager']).default('worker') }).optional(),
    success: 200,
    answer: z.object({ command: z.string() }),
    errors: ['not_a_swarm', 'server_unreachable', 'server_timeout'],
  }),
  updateNode: route({
    method: 'PATCH',
    path: '/api/servers/{id}/nodes/{node}',
    summary: 'Drain a node of a Swarm, or let it have containers again',
    description: '`drain` moves its containers to other nodes; those with a volume wait until it is `active`.',
    permission: 'administer',
    scope: 'admin',
    params: NodeParams,
    body: z.strictObject({ availability: z.enum(['active', 'drain']) }),
    success: 200,
    answer: SwarmNode,
    errors: ['not_a_swarm', 'server_unreachable', 'server_timeout'],
  }),
  getScale: route({
    method: 'GET',
    path: '/api/environments/{id}/scale',
    summary: 'How many containers the services of an environment have',
    description: 'Of the live deployment.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    success: 200,
    answer: Scale,
  }),
  updateScale: route({
    method: 'PUT',
    path: '/api/environments/{id}/scale',
    summary: 'Scale services of an environment on a Swarm, at once and for later deployments',
    description: 'Null goes back to the number of the compose file with the next deployment.',
    permission: 'deploy',
    scope: 'deploy',
    params: IdParams,
    body: z.strictObject({ services: z.record(z.string().min(1).max(63), Replicas.nullable()) }),
    success: 200,
    answer: Scale,
    errors: [
      'deployment_in_progress',
      'nothing_deployed',
      'environment_protected',
      'environment_removing',
      'project_deleting',
      'not_a_swarm',
      'server_unreachable',
      'server_timeout',
    ],
  }),
}
