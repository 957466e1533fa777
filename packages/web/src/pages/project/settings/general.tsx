// Name, domains, servers and defaults of a project.
import { type Project, type ProjectChanges, Recipe } from '@shipway/api'
import { Choice, TextArea, TextField } from '../../../components/form.tsx'
import { RECIPE_LABELS, RecipeOptions, recipeHint } from '../../../components/recipe-options.tsx'
import { SavedSection } from '../../../components/section.tsx'
import { ServerChoice } from '../../../components/server-choice.tsx'
import { showToast } from '../../../components/toast.tsx'
import { useDraft } from '../../../components/use-draft.ts'
import { useSubmission } from '../../../components/use-submission.ts'
import { client } from '../../../data/client.ts'
import { useLiveQuery } from '../../../data/live-query.ts'
import { serversQuery } from '../../../data/queries.ts'
import { whyNotDefaultRecipe } from '../../../data/recipe-reasons.ts'
import { useCurrentPage } from '../../../layout/current-page.ts'
import type { SettingsProps } from './settings-props.ts'

const POINTERS = ['/name', '/domain', '/custom_domains', '/default_branch', '/default_recipe', '/server_ids']

export function GeneralSettings({ project, disabledReason }: SettingsProps) {
  const submission = useSubmission(POINTERS)
  const { fields, changes, isChanged, set, reset } = useDraft(fieldsOf(project))
  const { me } = useCurrentPage()
  const reasonFor = (recipe: Recipe) =>
    whyNotDefaultRecipe({ me, organizationId: project.organization_id }, project, recipe)
  const save = async (): Promise<void> => {
    await client.updateProject({ params: { id: project.id }, body: bodyOf(changes) })
    reset()
    showToast('Saved')
  }
  return (
    <SavedSection
      title="Project"
      about="Environments inherit these settings with their next deployment, unless they override them."
      submission={submission}
      isChanged={isChanged}
      disabledReason={disabledReason}
      onSave={() => void submission.submit(save)}
    >
      <TextField
        label="Name"
        pointer="/name"
        submission={submission}
        value={fields.name}
        onChange={({ target }) => set('name', target.value)}
      />
      <TextField
        label="Domain"
        hint={`Environments get subdomains, such as pr-12.${fields.domain}`}
        pointer="/domain"
        submission={submission}
        value={fields.domain}
        onChange={({ target }) => set('domain', target.value)}
      />
      <TextArea
        label="More domains"
        hint="One per line. Environments and services can have their own domains under these"
        pointer="/custom_domains"
        submission={submission}
        rows={2}
        value={fields.customDomains}
        onChange={({ target }) => set('customDomains', target.value)}
      />
      <TextField
        label="Default branch"
        pointer="/default_branch"
        submission={submission}
        value={fields.branch}
        onChange={({ target }) => set('branch', target.value)}
      />
      <Choice
        label="Recipe"
        hint={recipeHint(reasonFor)}
        pointer="/default_recipe"
        submission={submission}
        value={fields.recipe}
        onChange={({ target }) => set('recipe', Recipe.parse(target.value))}
      >
        <RecipeOptions reasonFor={reasonFor} words={RECIPE_LABELS} />
      </Choice>
      <Servers project={project} chosen={fields.serverIds} onChoose={(ids) => set('serverIds', ids)} />
    </SavedSection>
  )
}

type ServersProps = {
  readonly project: Project
  readonly chosen: readonly number[]
  readonly onChoose: (ids: readonly number[]) => void
}

function Servers({ project, chosen, onChoose }: ServersProps) {
  const { data: servers = project.servers } = useLiveQuery(serversQuery(project.organization_id))
  return <ServerChoice servers={servers} chosen={chosen} onChoose={onChoose} />
}

const fieldsOf = (project: Project) => ({
  name: project.name,
  domain: project.domain,
  customDomains: project.custom_domains.join('\n'),
  branch: project.default_branch,
  recipe: project.default_recipe,
  serverIds: project.servers.map(({ id }) => id) as readonly number[],
})

function bodyOf({
  name,
  domain,
  customDomains,
  branch,
  recipe,
  serverIds,
}: Partial<ReturnType<typeof fieldsOf>>): ProjectChanges {
  return {
    ...(name !== undefined && { name }),
    ...(domain !== undefined && { domain }),
    ...(customDomains !== undefined && { custom_domains: customDomains.split(/[\s,]+/).filter((line) => line !== '') }),
    ...(branch !== undefined && { default_branch: branch }),
    ...(recipe !== undefined && { default_recipe: recipe }),
    ...(serverIds !== undefined && { server_ids: [...serverIds] }),
  }
}
