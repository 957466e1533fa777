// What one container of an environment, and its builds together, may use at most.
import { z } from 'zod'

/** Null goes back to the default of the environment's type; what is left out stays as it is. */
export const Limits = z.strictObject({
  cpus: z.number().min(0.01).max(1024).multipleOf(0.001).nullable().optional(),
  /** Docker starts nothing with less than 6 MiB. */
  memory_mb: z.int().min(6).max(16_777_216).nullable().optional(),
  processes: z.int().min(1).max(4_194_304).nullable().optional(),
})
export type Limits = z.infer<typeof Limits>

const LIMITS = ['cpus', 'memory_mb', 'processes'] as const

/** Null is no limit. */
export const EffectiveLimits = z.object({
  cpus: z.number().nullable(),
  memory_mb: z.int().nullable().describe('In MiB'),
  processes: z.int().nullable(),
  defaults: z.array(z.enum(LIMITS)).describe("Those that are the default of the environment's type"),
})
