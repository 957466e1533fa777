// What runs the containers of a server.
import { z } from 'zod'

export const RuntimeName = z.enum(['compose'])
export type RuntimeName = z.infer<typeof RuntimeName>
