// What the records and checks of the platform need to know of a recipe. How it deploys is in `recipes/recipes.ts`.
import type { Recipe } from '@shipway/api/values/recipe'

/** Whether environments of a recipe run in containers, which the runtime of their server knows. */
export const runsContainers: Readonly<Record<Recipe, boolean>> = { docker: true, manual: false }
