// How an environment is deployed.
import { z } from 'zod'

export const Recipe = z.enum(['docker', 'manual'])
export type Recipe = z.infer<typeof Recipe>
