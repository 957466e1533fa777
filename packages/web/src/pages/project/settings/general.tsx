// Name, domains, servers, and how environments are deployed unless they say otherwise.
import type { Project, ProjectChanges, Recipe } from '@shipway/api'
import { Checkbox, Choice, TextArea, TextField } from '../../../components/form.tsx'
import { RECIPE_WORDS, RecipeOptions, recipeHint } from '../../../components/recipe-options.tsx'
import { SavedSection } from '../../../components/section.tsx'
import { tell } from '../../../components/toast.tsx'
import { useDraft } from '../../../components/use-draft.ts'
import { useSending } from '../../../components/use-submission.ts'
import { client } from '../../../data/client.ts'
import { useTold } from '../../../data/live-query.ts'
import { serversQuery } from '../../../data/queries.ts'
import { defaultRecipeLock } from '../../../data/recipe-reasons.ts'
import { useHere } from '../../../layout/current-page.ts'
import type { SettingsProps } from './settings-props.ts'

const POINTERS = ['/name', '/domain', '/custom_domains', '/default_branch', '/default_recipe', '/server_ids']

export function GeneralSettings({ project, lockedBecause }: SettingsProps) {
  const sending = useSending(POINTERS)
  const { fields, changes, isChanged, set, reset } = useDraft(fieldsOf(project))
  const { me } = useHere()
  const lockOf = (recipe: Recipe) => defaultRecipeLock({ me, organizationId: project.organization_id }, project, recipe)
  const save = async (): Promise<void> => {
    await client.updateProject({ params: { id: project.id }, body: bodyOf(changes) })
    reset()
    tell('Saved')
  }
  return (
    <SavedSection
      title="Project"
      about="Environments take over what they do not set themselves, from their next deployment on."
      {...{ sending, isChanged, lockedBecause }}
      onSave={() => void sending.send(save)}
    >
      <TextField
        label="Name"
        pointer="/name"
        sending={sending}
        value={fields.name}
        onChange={({ target }) => set('name', target.value)}
      />
      <TextField
        label="Domain"
        hint={`Environments answer at their name under it: pr-12.${fields.domain}`}
        pointer="/domain"
        sending={sending}
        value={fields.domain}
        onChange={({ target }) => set('domain', target.value)}
      />
      <TextArea
        label="Further domains"
        hint="One a line. Environments and services may have domains of their own under these"
        pointer="/custom_domains"
        sending={sending}
        rows={2}
        value={fields.customDomains}
        onChange={({ target }) => set('customDomains', target.value)}
      />
      <TextField
        label="Default branch"
        pointer="/default_branch"
        sending={sending}
        value={fields.branch}
        onChange={({ target }) => set('branch', target.value)}
      />
      <Choice
        label="Recipe"
        hint={recipeHint(lockOf)}
        pointer="/default_recipe"
        sending={sending}
        value={fields.recipe}
        onChange={({ target }) => set('recipe', target.value === 'manual' ? 'manual' : 'docker')}
      >
        <RecipeOptions lockOf={lockOf} words={RECIPE_WORDS} />
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
  const { data: servers = project.servers } = useTold(serversQuery(project.organization_id))
  return (
    <fieldset className="stack">
      <legend className="small strong">Servers</legend>
      {servers.map(({ id, name, hostname }) => (
        <Checkbox
          key={id}
          label={name}
          hint={hostname}
          checked={chosen.includes(id)}
          onChange={({ target }) => onChoose(target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))}
        />
      ))}
    </fieldset>
  )
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
