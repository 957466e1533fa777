// Button and dialog for a new environment.
import { type Project, Recipe } from '@shipway/api'
import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogButtons } from '../../components/dialog.tsx'
import { Checkbox, Choice, Form, FormError, TextField } from '../../components/form.tsx'
import { RecipeOptions, recipeHint } from '../../components/recipe-options.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { client } from '../../data/client.ts'
import { whyNotCreate } from '../../data/disabled-reasons.ts'
import { whyNotRecipe } from '../../data/recipe-reasons.ts'
import { useCurrentPage } from '../../layout/current-page.ts'

export function NewEnvironmentButton({ project }: { readonly project: Project }) {
  const [isOpen, setOpen] = useState(false)
  const { me } = useCurrentPage()
  const reason = whyNotCreate({ me, organizationId: project.organization_id }, project)
  return (
    <>
      <Button disabledReason={reason} onClick={() => setOpen(true)}>
        <Plus size={14} strokeWidth={1.5} aria-hidden="true" />
        New environment
      </Button>
      <Dialog title="New environment" isOpen={isOpen} onClose={() => setOpen(false)}>
        <NewEnvironment project={project} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function NewEnvironment({ project, onClose }: { readonly project: Project; readonly onClose: () => void }) {
  const [name, setName] = useState('')
  const [branch, setBranch] = useState(project.default_branch)
  const [serverId, setServerId] = useState(project.servers[0]?.id)
  const [recipe, setRecipe] = useState<Recipe | null>(null)
  const [isSticky, setSticky] = useState(false)
  const [deploysAtOnce, setDeploysAtOnce] = useState(true)
  const [created, setCreated] = useState<{ readonly id: number; readonly name: string }>()
  const submission = useSubmission(['/name', '/branch', '/server_id', '/recipe'])
  const { me } = useCurrentPage()
  const where = { me, organizationId: project.organization_id }
  const reasonFor = (option: Recipe) => whyNotRecipe(where, project, option)
  const navigate = useNavigate()
  const create = async (): Promise<void> => {
    const body = { name, branch, recipe, sticky: isSticky, ...(serverId !== undefined && { server_id: serverId }) }
    // A second try goes on with the environment that the first one created.
    const environment =
      created?.name === name ? created : await client.createEnvironment({ params: { id: project.id }, body })
    setCreated({ id: environment.id, name })
    if (deploysAtOnce) await client.startDeployment({ params: { id: environment.id } })
    await navigate({ to: '/environments/$environmentId', params: { environmentId: environment.id } })
  }
  return (
    <Form submission={submission} onSubmit={() => void submission.submit(create)}>
      <TextField
        label="Name"
        hint={`Its address will be ${name === '' ? 'name' : name}.${project.domain}`}
        pointer="/name"
        submission={submission}
        value={name}
        onChange={({ target }) => setName(target.value)}
        autoFocus
      />
      <TextField
        label="Branch"
        pointer="/branch"
        submission={submission}
        value={branch}
        onChange={({ target }) => setBranch(target.value)}
      />
      {project.servers.length > 1 ? (
        <Choice
          label="Server"
          pointer="/server_id"
          submission={submission}
          value={serverId}
          onChange={({ target }) => setServerId(Number(target.value))}
        >
          {project.servers.map((server) => (
            <option key={server.id} value={server.id}>
              {server.name}
            </option>
          ))}
        </Choice>
      ) : undefined}
      <Choice
        label="Recipe"
        hint={recipeHint(reasonFor)}
        pointer="/recipe"
        submission={submission}
        value={recipe ?? ''}
        onChange={({ target }) => setRecipe(Recipe.safeParse(target.value).data ?? null)}
      >
        <option value="">{`Use the project's setting: ${project.default_recipe}`}</option>
        <RecipeOptions reasonFor={reasonFor} />
      </Choice>
      <Checkbox
        label="Sticky"
        hint="Listed first; deleting it asks for its name"
        checked={isSticky}
        onChange={({ target }) => setSticky(target.checked)}
      />
      <Checkbox
        label="Deploy now"
        checked={deploysAtOnce}
        onChange={({ target }) => setDeploysAtOnce(target.checked)}
      />
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" isBusy={submission.isBusy}>
          Create
        </Button>
      </DialogButtons>
    </Form>
  )
}
