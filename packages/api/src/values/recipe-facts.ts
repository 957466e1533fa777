// What a recipe can do, one table for each fact, without the schemas of the contract, as in `runtime-facts.ts`.
import type { Recipe } from './recipe.ts'

type Fact = Readonly<Record<Recipe, boolean>>

/** Environments run in containers: they have a compose file, images and volumes. The others run on the server itself. */
export const runsContainers: Fact = { docker: true, manual: false }

/** Commands of the repository run as a user of the server, so an owner of the organization allows it in each project. */
export const needsConsent: Fact = { docker: false, manual: true }

/** A suggested `.service.yml` can be deployed as it is. The others only show what to fill in. */
export const canDeploySuggestion: Fact = { docker: true, manual: false }
