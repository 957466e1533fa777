// Title, branch and recipe of an environment.
import { Recipe } from '@shipway/api'
import { Choice, TextField } from '../../../components/form.tsx'
import { RecipeOptions, recipeHint } from '../../../components/recipe-options.tsx'
import { whyNotRecipe } from '../../../data/recipe-reasons.ts'
import { Locked, SavedForm, Section } from './section.tsx'
import { type SettingsContext, whyKept, whyRecipeFixed } from './settings-context.ts'
import { useSettings } from './use-settings.ts'

const HINT = 'docker runs the compose file, manual runs the commands of .service.yml'

export function SourceSection({ context }: { readonly context: SettingsContext }) {
  const { environment, project, lock } = context
  const { draft, touch, submission, form } = useSettings(environment, ['/title', '/branch', '/recipe'])
  const { title, branch, recipe, effective_recipe: effective } = environment
  const inherited = `Use the project's setting${project ? `: ${project.default_recipe}` : ''}`
  const reasonFor = (option: Recipe) =>
    project && option !== recipe ? whyNotRecipe(context, project, option) : undefined
  const titleReason = whyKept(environment)
  const recipeReason = whyRecipeFixed(environment)
  const fields = (
    <>
      {lock !== undefined || titleReason !== undefined ? (
        <Locked label="Title" because={lock === undefined ? titleReason : undefined}>
          {title === '' ? 'None' : title}
        </Locked>
      ) : (
        <TextField
          label="Title"
          hint="Shown below the name"
          pointer="/title"
          submission={submission}
          value={draft.title ?? title}
          onChange={({ target }) => touch({ title: target.value })}
        />
      )}
      {lock === undefined ? (
        <TextField
          label="Branch"
          hint={
            environment.type === 'pull_request'
              ? 'Branch of the pull request; its next event resets this'
              : 'The next deployment uses its newest commit'
          }
          pointer="/branch"
          submission={submission}
          isMono
          value={draft.branch ?? branch}
          onChange={({ target }) => touch({ branch: target.value })}
        />
      ) : (
        <Locked label="Branch">{branch}</Locked>
      )}
      {lock !== undefined || recipeReason !== undefined ? (
        <Locked label="Recipe" because={lock === undefined ? recipeReason : undefined}>
          {recipe === null ? inherited : effective}
        </Locked>
      ) : (
        <Choice
          label="Recipe"
          hint={recipeHint(reasonFor) ?? HINT}
          pointer="/recipe"
          submission={submission}
          value={(draft.recipe === undefined ? recipe : draft.recipe) ?? ''}
          onChange={({ target }) => touch({ recipe: Recipe.safeParse(target.value).data ?? null })}
        >
          <option value="">{inherited}</option>
          <RecipeOptions reasonFor={reasonFor} />
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
