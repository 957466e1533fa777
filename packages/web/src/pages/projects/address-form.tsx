// Form for a project whose repository is named by its address. The Connect tab follows.
import { type NewProjectBody, Recipe, type Server } from '@shipway/api'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Choice, Form, FormButtons, FormError, TextField } from '../../components/form.tsx'
import { RECIPE_LABELS, RecipeOptions, recipeHint } from '../../components/recipe-options.tsx'
import { ServerChoice } from '../../components/server-choice.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { clientOf } from '../../data/client.ts'
import { missingPermission } from '../../data/disabled-reasons.ts'
import { keepWebhook } from '../../data/new-webhooks.ts'
import { whyNotFirstRecipe } from '../../data/recipe-reasons.ts'
import { useCurrentPage } from '../../layout/current-page.ts'
import { nameOfRepository } from '../../text/repository-name.ts'

const POINTERS = ['/repo_url', '/name', '/domain', '/server_ids', '/default_branch', '/default_recipe']

type AddressFormProps = { readonly organizationId: number; readonly servers: readonly Server[] | undefined }

export function AddressForm({ organizationId, servers }: AddressFormProps) {
  const { me } = useCurrentPage()
  const [address, setAddress] = useState('')
  const [name, setName] = useState<string>()
  const [domain, setDomain] = useState('')
  const [branch, setBranch] = useState('main')
  const [recipe, setRecipe] = useState<Recipe>('docker')
  const [chosen, setChosen] = useState<readonly number[]>()
  const submission = useSubmission(POINTERS)
  const navigate = useNavigate()
  const reasonFor = (option: Recipe) => whyNotFirstRecipe({ me, organizationId }, option)
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
  return (
    <Form submission={submission} onSubmit={() => void submission.submit(create)} label="New project">
      <TextField
        label="Repository"
        hint="ssh address, as for git clone: git@host:owner/name.git"
        pointer="/repo_url"
        submission={submission}
        isMono
        autoFocus
        value={address}
        onChange={({ target }) => setAddress(target.value)}
      />
      <TextField
        label="Name"
        pointer="/name"
        submission={submission}
        value={shownName}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label="Domain"
        hint={`Pull requests get addresses such as pr-12.${domain === '' ? 'your-domain' : domain}. Point *.${domain === '' ? 'your-domain' : domain} to the servers.`}
        pointer="/domain"
        submission={submission}
        value={domain}
        onChange={({ target }) => setDomain(target.value)}
      />
      <ServerChoice servers={servers ?? []} chosen={serverIds} onChoose={setChosen} />
      <Choice
        label="Recipe"
        hint={recipeHint(reasonFor)}
        pointer="/default_recipe"
        submission={submission}
        value={recipe}
        onChange={({ target }) => setRecipe(Recipe.parse(target.value))}
      >
        <RecipeOptions reasonFor={reasonFor} words={RECIPE_LABELS} />
      </Choice>
      <TextField
        label="Default branch"
        pointer="/default_branch"
        submission={submission}
        value={branch}
        onChange={({ target }) => setBranch(target.value)}
      />
      <FormError submission={submission} />
      <FormButtons>
        <Button
          type="submit"
          variant="primary"
          isBusy={submission.isBusy}
          disabledReason={missingPermission('administer', { me, organizationId })}
        >
          Create and connect
        </Button>
      </FormButtons>
    </Form>
  )
}
