// Why a recipe cannot be selected. The manual recipe runs commands of the repository on the server.
import type { Project, Recipe } from '@shipway/api'
import { needsConsent } from '@shipway/api/values/recipe-facts'
import { type Membership, missingPermission } from './disabled-reasons.ts'

const OWNER_ALLOWS = 'An owner of the organization must allow the manual recipe in this project first'
const ALLOW_FIRST = 'Allow the manual recipe in the settings of the project first'
const OWNER_CREATES = 'Only owners of the organization can create a project with the manual recipe'

/** For a project's default. */
export function whyNotDefaultRecipe(membership: Membership, project: Project, recipe: Recipe): string | undefined {
  if (recipe === project.default_recipe || !needsConsent[recipe] || project.manual_recipe === 'allowed')
    return undefined
  return missingPermission('allow_manual_recipe', membership) === undefined ? ALLOW_FIRST : OWNER_ALLOWS
}

export function whyNotRecipe(membership: Membership, project: Project, recipe: Recipe): string | undefined {
  if (recipe === project.default_recipe) return undefined
  if (missingPermission('choose_recipe', membership) !== undefined)
    return "Only administrators can choose a recipe other than the project's"
  return whyNotDefaultRecipe(membership, project, recipe)
}

/** For a new project. */
export const whyNotFirstRecipe = (membership: Membership, recipe: Recipe): string | undefined =>
  needsConsent[recipe] && missingPermission('allow_manual_recipe', membership) !== undefined ? OWNER_CREATES : undefined
