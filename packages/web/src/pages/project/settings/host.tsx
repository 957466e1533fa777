// API token of the git host, used to find lost events and to report deployments on pull requests.
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { TextField } from '../../../components/form.tsx'
import { SavedSection } from '../../../components/section.tsx'
import { showToast } from '../../../components/toast.tsx'
import { useSubmission } from '../../../components/use-submission.ts'
import { client } from '../../../data/client.ts'
import type { SettingsProps } from './settings-props.ts'

export function HostSettings({ project, disabledReason }: SettingsProps) {
  const [token, setToken] = useState('')
  const submission = useSubmission(['/host_token'])
  const save = async (value: string | null): Promise<void> => {
    await client.updateProject({ params: { id: project.id }, body: { host_token: value } })
    setToken('')
    showToast(value === null ? 'Token removed' : 'Saved. It is never shown again')
  }
  return (
    <SavedSection
      title="Git host token"
      about="Lets the platform find lost events and report deployments on pull requests, through the API of the git host."
      submission={submission}
      isChanged={token !== ''}
      disabledReason={disabledReason}
      onSave={() => void submission.submit(() => save(token))}
    >
      <TextField
        label={project.has_host_token ? 'Replace token' : 'Token'}
        hint={project.has_host_token ? 'A token is set and never shown' : 'No token is set'}
        pointer="/host_token"
        submission={submission}
        type="password"
        autoComplete="off"
        value={token}
        onChange={({ target }) => setToken(target.value)}
      />
      {project.has_host_token ? (
        <div>
          <Button
            isSmall
            variant="danger"
            disabledReason={disabledReason}
            onClick={() => void submission.submit(() => save(null))}
          >
            Remove token
          </Button>
        </div>
      ) : undefined}
    </SavedSection>
  )
}
