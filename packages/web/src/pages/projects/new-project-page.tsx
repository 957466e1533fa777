// Making a project: the repository, the domain, the servers. What connects it is on the next page, with ticks as they come true.
import type { NewProjectBody, Recipe } from '@shipway/api'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Checkbox, Choice, Form, FormActs, FormFault, TextField } from '../../components/form.tsx'
import { PageHead } from '../../components/page.tsx'
import { RECIPE_WORDS, RecipeOptions, recipeHint } from '../../components/recipe-options.tsx'
import { useSending } from '../../components/use-submission.ts'
import { clientOf } from '../../data/client.ts'
import { needs } from '../../data/disabled-reasons.ts'
import { useTold } from '../../data/live-query.ts'
import { keepWebhook } from '../../data/new-webhooks.ts'
import { serversQuery } from '../../data/queries.ts'
import { firstRecipeLock } from '../../data/recipe-reasons.ts'
import { useHere } from '../../layout/current-page.ts'
import { nameOfRepository } from '../../text/repository-name.ts'
import styles from './new-project.module.css'
import { NoServers } from './no-servers.tsx'
import { Stages } from './stages.tsx'

const POINTERS = ['/repo_url', '/name', '/domain', '/server_ids', '/default_branch', '/default_recipe']

export function NewProjectPage() {
  const { organizationId } = useParams({ from: '/inside/organizations/$organizationId/projects/new' })
  return (
    <>
      <PageHead
        title="New project"
        name="New project"
        under="Three ticks, and the first pull request gets an environment."
      />
      <div className={styles.wizard}>
        <Stages at="repository" />
        <NewProjectForm organizationId={organizationId} />
      </div>
    </>
  )
}

function NewProjectForm({ organizationId }: { readonly organizationId: number }) {
  const { me } = useHere()
  const { data: servers } = useTold(serversQuery(organizationId))
  const [address, setAddress] = useState('')
  const [name, setName] = useState<string>()
  const [domain, setDomain] = useState('')
  const [branch, setBranch] = useState('main')
  const [recipe, setRecipe] = useState<Recipe>('docker')
  const [chosen, setChosen] = useState<readonly number[]>()
  const sending = useSending(POINTERS)
  const navigate = useNavigate()
  const lockOf = (option: Recipe) => firstRecipeLock({ me, organizationId }, option)
  const shownName = name ?? nameOfRepository(address)
  const serverIds = chosen ?? servers?.map(({ id }) => id) ?? []
  const create = async (): Promise<void> => {
    const body: NewProjectBody = {
      name: shownName,
      repo_url: address.trim(),
      domain: domain.trim(),
      server_ids: [...serverIds],
      default_branch: branch.trim(),
      default_recipe: recipe,
      organization_id: organizationId,
    }
    const { webhook, ...project } = await clientOf(organizationId).createProject({ body })
    keepWebhook(project.id, webhook)
    await navigate({ to: '/projects/$projectId/connect', params: { projectId: project.id } })
  }
  if (servers?.length === 0) return <NoServers organizationId={organizationId} />
  return (
    <Form sending={sending} onSend={() => void sending.send(create)} label="New project">
      <TextField
        label="Repository"
        hint="As you would clone it over ssh: git@host:owner/name.git"
        pointer="/repo_url"
        sending={sending}
        isMono
        autoFocus
        value={address}
        onChange={({ target }) => setAddress(target.value)}
      />
      <TextField
        label="Name"
        pointer="/name"
        sending={sending}
        value={shownName}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label="Domain"
        hint={`A pull request answers at pr-12.${domain === '' ? 'your-domain' : domain}. Point *.${domain === '' ? 'your-domain' : domain} to the servers.`}
        pointer="/domain"
        sending={sending}
        value={domain}
        onChange={({ target }) => setDomain(target.value)}
      />
      <fieldset className="stack">
        <legend className="small strong">Servers</legend>
        {servers?.map((server) => (
          <Checkbox
            key={server.id}
            label={server.name}
            hint={server.hostname}
            checked={serverIds.includes(server.id)}
            onChange={({ target }) =>
              setChosen(target.checked ? [...serverIds, server.id] : serverIds.filter((id) => id !== server.id))
            }
          />
        ))}
      </fieldset>
      <Choice
        label="Recipe"
        hint={recipeHint(lockOf)}
        pointer="/default_recipe"
        sending={sending}
        value={recipe}
        onChange={({ target }) => setRecipe(target.value === 'manual' ? 'manual' : 'docker')}
      >
        <RecipeOptions lockOf={lockOf} words={RECIPE_WORDS} />
      </Choice>
      <TextField
        label="Default branch"
        pointer="/default_branch"
        sending={sending}
        value={branch}
        onChange={({ target }) => setBranch(target.value)}
      />
      <FormFault sending={sending} />
      <FormActs>
        <Button
          type="submit"
          look="primary"
          isBusy={sending.isBusy}
          lockedBecause={needs('admin', { me, organizationId })}
        >
          Create and connect
        </Button>
      </FormActs>
    </Form>
  )
}
