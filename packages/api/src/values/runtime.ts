// What runs the containers of a server.
import { z } from 'zod'
import { RUNTIMES } from './runtime-facts.ts'

export const RuntimeName = z.enum(RUNTIMES)
export type RuntimeName = z.infer<typeof RuntimeName>
