// How an environment is deployed.
import { z } from 'zod'

export const Recipe = z.enum(['docker', 'manual'])
export type Recipe = z.infer<typeof Recipe>

/** Environments run in containers: they have a compose file, images and volumes. The others run on the server itself. */
export const runsContainers: Readonly<Record<Recipe, boolean>> = { docker: true, manual: false }

/** Commands of the repository run as a user of the server, so an owner of the organization allows it in each project. */
export const needsConsent: Readonly<Record<Recipe, boolean>> = { docker: false, manual: true }

/** The one recipe of forks and of uploads, which anyone may send, or which no branch contains. */
export const ISOLATED_RECIPE = 'docker'

/** Whether an owner of the organization lets a project use the manual recipe, which runs commands of the repository on the server. */
export const ManualRecipe = z.enum(['off', 'allowed'])
export type ManualRecipe = z.infer<typeof ManualRecipe>
