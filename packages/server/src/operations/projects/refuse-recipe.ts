// Who may choose which recipe. The manual one runs commands of the repository on the server, so an owner has to allow it in each project.
import type { NewProject, ProjectChanges } from '@shipway/api/projects'
import type { Recipe } from '@shipway/api/values/recipe'
import { needsConsent } from '@shipway/api/values/recipe-facts'
import { Forbidden, InUse, InvalidField } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand, may } from '../../domain/people/permissions.ts'
import type { Change } from '../../store/change.ts'
import { listEnvironmentsOfProject } from '../../store/environments/environments.ts'
import type { Project } from '../../store/projects/projects.ts'

type Consent = Pick<Project, 'organizationId' | 'manualRecipe'>

/** For an environment; null is the default of the project. */
export function refuseRecipe(
  actor: Actor,
  project: Consent & Pick<Project, 'defaultRecipe'>,
  wanted: Recipe | null,
): void {
  const recipe = wanted ?? project.defaultRecipe
  if (recipe !== project.defaultRecipe) demand(actor, 'choose_recipe', project.organizationId)
  refuseWithoutConsent(actor, project, { recipe, pointer: '/recipe' })
}

/** An owner who makes a project with the manual recipe has allowed it. */
export function refuseFirstRecipe(actor: Actor, organizationId: number, wanted: NewProject): void {
  const { default_recipe: recipe, manual_recipe: consent } = wanted
  if (consent === 'allowed' || (needsConsent[recipe] && consent === undefined)) demandConsent(actor, organizationId)
  refuseWithoutConsent(
    actor,
    { organizationId, manualRecipe: consent ?? 'allowed' },
    { recipe, pointer: '/default_recipe' },
  )
}

/** The caller has locked the project: its consent must not be withdrawn while the recipe is chosen. */
export async function refuseRecipeChange(
  tx: Change,
  actor: Actor,
  { project, changes }: { readonly project: Project; readonly changes: ProjectChanges },
): Promise<void> {
  const { default_recipe: recipe = project.defaultRecipe, manual_recipe: consent = project.manualRecipe } = changes
  if (consent !== project.manualRecipe) demandConsent(actor, project.organizationId)
  if (recipe !== project.defaultRecipe) {
    const { organizationId } = project
    refuseWithoutConsent(actor, { organizationId, manualRecipe: consent }, { recipe, pointer: '/default_recipe' })
  }
  if (consent === 'allowed' || project.manualRecipe === 'off') return
  if (needsConsent[recipe]) throw InUse('The manual recipe is the default of this project. Choose another one first')
  const using = (await listEnvironmentsOfProject(tx, project.id)).filter(
    (environment) => environment.recipe !== null && needsConsent[environment.recipe],
  )
  if (using.length === 0) return
  const names = using.map(({ name }) => name).join(', ')
  throw InUse(`Environments have the manual recipe: ${names}. Change their recipe or delete them first`)
}

function demandConsent(actor: Actor, organizationId: number): void {
  if (!may(actor, 'allow_manual_recipe', organizationId)) throw Forbidden(OWNERS_ALLOW)
}

function refuseWithoutConsent(
  actor: Actor,
  { organizationId, manualRecipe }: Consent,
  { recipe, pointer }: { readonly recipe: Recipe; readonly pointer: string },
): void {
  if (!needsConsent[recipe] || manualRecipe === 'allowed') return
  demandConsent(actor, organizationId)
  throw InvalidField(
    pointer,
    'manual_recipe_off',
    'Allow the manual recipe in the project first: set manual_recipe to allowed',
  )
}

const OWNERS_ALLOW =
  'The manual recipe runs commands of the repository on the server, so only an owner of the organization can allow it in a project. ' +
  'Ask an owner to allow it in the settings of the project'
