// How an environment is deployed.
import { z } from 'zod'

export const Recipe = z.enum(['docker', 'manual'])
export type Recipe = z.infer<typeof Recipe>

/** The one recipe of forks and of uploads, which anyone may send, or which no branch contains. */
export const ISOLATED_RECIPE = 'docker'

/** Whether an owner of the organization lets a project use the manual recipe, which runs commands of the repository on the server. */
export const ManualRecipe = z.enum(['off', 'allowed'])
export type ManualRecipe = z.infer<typeof ManualRecipe>
