// What is deployed, and what it is called.
import { Recipe } from '@shipway/api'
import { Choice, TextField } from '../../../components/form.tsx'
import { RecipeOptions, recipeHint } from '../../../components/recipe-options.tsx'
import { environmentRecipeLock } from '../../../data/recipe-reasons.ts'
import { Locked, SavedForm, Section } from './section.tsx'
import { keptLock, recipeLock, type SettingsPlace } from './settings-context.ts'
import { useSettings } from './use-settings.ts'

const HINT = 'How it is deployed: docker runs the compose file, manual runs the commands of .service.yml'

export function SourceSection({ place }: { readonly place: SettingsPlace }) {
  const { environment, project, lock } = place
  const { draft, touch, sending, form } = useSettings(environment, ['/title', '/branch', '/recipe'])
  const { title, branch, recipe, effective_recipe: effective } = environment
  const inherited = `As the project has it${project ? `: ${project.default_recipe}` : ''}`
  const lockOf = (option: Recipe) =>
    project && option !== recipe ? environmentRecipeLock(place, project, option) : undefined
  const titleLock = keptLock(environment)
  const lockOfRecipe = recipeLock(environment)
  const fields = (
    <>
      {lock !== undefined || titleLock !== undefined ? (
        <Locked label="Title" because={lock === undefined ? titleLock : undefined}>
          {title === '' ? 'None' : title}
        </Locked>
      ) : (
        <TextField
          label="Title"
          hint="A line for people, beneath the name"
          pointer="/title"
          sending={sending}
          value={draft.title ?? title}
          onChange={({ target }) => touch({ title: target.value })}
        />
      )}
      {lock === undefined ? (
        <TextField
          label="Branch"
          hint={
            environment.type === 'pull_request'
              ? 'The branch of the pull request; the next event of it sets it again'
              : 'The next deployment takes its newest commit'
          }
          pointer="/branch"
          sending={sending}
          isMono
          value={draft.branch ?? branch}
          onChange={({ target }) => touch({ branch: target.value })}
        />
      ) : (
        <Locked label="Branch">{branch}</Locked>
      )}
      {lock !== undefined || lockOfRecipe !== undefined ? (
        <Locked label="Recipe" because={lock === undefined ? lockOfRecipe : undefined}>
          {recipe === null ? inherited : effective}
        </Locked>
      ) : (
        <Choice
          label="Recipe"
          hint={recipeHint(lockOf) ?? HINT}
          pointer="/recipe"
          sending={sending}
          value={(draft.recipe === undefined ? recipe : draft.recipe) ?? ''}
          onChange={({ target }) => touch({ recipe: Recipe.safeParse(target.value).data ?? null })}
        >
          <option value="">{inherited}</option>
          <RecipeOptions lockOf={lockOf} />
        </Choice>
      )}
    </>
  )
  return (
    <Section title="Source" about={`What ${environment.name} deploys, and how.`}>
      {lock === undefined ? (
        <SavedForm label="Source" {...form}>
          {fields}
        </SavedForm>
      ) : (
        fields
      )}
    </Section>
  )
}
