// What runs the containers of a server.
import { z } from 'zod'

export const RuntimeName = z.enum(['compose', 'swarm'])
export type RuntimeName = z.infer<typeof RuntimeName>
