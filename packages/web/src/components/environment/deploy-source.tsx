// Dialog that deploys another branch, or one commit, once. The environment keeps its branch.
import type { Environment } from '@shipway/api'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../data/client.ts'
import { Button } from '../button.tsx'
import { DialogButtons } from '../dialog.tsx'
import { Choice, Form, FormError, TextField } from '../form.tsx'
import { useSubmission } from '../use-submission.ts'

type SourceProps = { readonly environment: Environment; readonly onClose: () => void }
type Kind = 'branch' | 'commit'

export function DeploySource({ environment, onClose }: SourceProps) {
  const [kind, setKind] = useState<Kind>('branch')
  const [text, setText] = useState('')
  const submission = useSubmission(['/branch', '/commit'])
  const navigate = useNavigate()
  const deploy = async (): Promise<void> => {
    const body = kind === 'branch' ? { branch: text.trim() } : { commit: text.trim().toLowerCase() }
    const { id } = await client.startDeployment({ params: { id: environment.id }, body })
    onClose()
    const params = { environmentId: environment.id, taskId: id }
    await navigate({ to: '/environments/$environmentId/tasks/$taskId', params })
  }
  return (
    <Form
      label={`Deploy to ${environment.name}`}
      submission={submission}
      onSubmit={() => text.trim() !== '' && void submission.submit(deploy)}
    >
      <p className="quiet">
        Only this deployment uses it. The environment keeps its branch, {environment.branch}, and the next push to it
        deploys that again.
      </p>
      <Choice
        label="Deploy"
        pointer="/kind"
        submission={submission}
        value={kind}
        onChange={({ target }) => {
          setKind(target.value === 'commit' ? 'commit' : 'branch')
          submission.clear()
        }}
      >
        <option value="branch">The newest commit of a branch</option>
        <option value="commit">One commit</option>
      </Choice>
      <TextField
        label={kind === 'branch' ? 'Branch' : 'Commit'}
        hint={kind === 'branch' ? 'Such as hotfix' : 'All 40 characters of its sha. It must be in a branch'}
        pointer={`/${kind}`}
        submission={submission}
        isMono
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant="primary"
          isBusy={submission.isBusy}
          waitsFor={text.trim() === '' ? `Enter a ${kind} first` : undefined}
        >
          Deploy
        </Button>
      </DialogButtons>
    </Form>
  )
}
