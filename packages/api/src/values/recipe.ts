// How an environment is deployed.
import { z } from 'zod'
import { RECIPES } from './recipe-facts.ts'

export const Recipe = z.enum(RECIPES)
export type Recipe = z.infer<typeof Recipe>

/** Whether an owner of the organization lets a project use the manual recipe, which runs commands of the repository on the server. */
export const ManualRecipe = z.enum(['off', 'allowed'])
export type ManualRecipe = z.infer<typeof ManualRecipe>
