// Basic auth, pull requests from forks, and certificates of a project.
import type { Project, ProjectChanges } from '@shipway/api'
import { Choice, TextField } from '../../../components/form.tsx'
import { SavedSection } from '../../../components/section.tsx'
import { showToast } from '../../../components/toast.tsx'
import { useDraft } from '../../../components/use-draft.ts'
import { useSubmission } from '../../../components/use-submission.ts'
import { client } from '../../../data/client.ts'
import type { SettingsProps } from './settings-props.ts'

export function AccessSettings({ project, disabledReason }: SettingsProps) {
  const submission = useSubmission(['/basic_auth', '/fork_pull_requests', '/tls'])
  const { fields, changes, isChanged, set, reset } = useDraft(fieldsOf(project))
  const save = async (): Promise<void> => {
    await client.updateProject({ params: { id: project.id }, body: bodyOf(fields, changes) })
    reset()
    showToast('Saved')
  }
  return (
    <SavedSection
      title="Access"
      about="For every environment of the project, unless one has its own basic auth."
      submission={submission}
      isChanged={isChanged}
      disabledReason={disabledReason}
      onSave={() => void submission.submit(save)}
    >
      <TextField
        label="Basic auth: user name"
        hint="Empty: everyone can open the environments"
        pointer="/basic_auth"
        submission={submission}
        autoComplete="off"
        value={fields.username}
        onChange={({ target }) => set('username', target.value)}
      />
      {fields.username === '' ? undefined : (
        <TextField
          label="Basic auth: password"
          hint={project.basic_auth ? 'A password is set and never shown. Enter a new one to change it' : undefined}
          pointer="/basic_auth/password"
          submission={submission}
          type="password"
          autoComplete="new-password"
          value={fields.password}
          onChange={({ target }) => set('password', target.value)}
        />
      )}
      <Choice
        label="Pull requests from forks"
        hint="Code from forks runs on your servers only after an administrator has approved its commit"
        pointer="/fork_pull_requests"
        submission={submission}
        value={fields.forks}
        onChange={({ target }) => set('forks', target.value === 'approval' ? 'approval' : 'off')}
      >
        <option value="off">Ignore</option>
        <option value="approval">Require approval of each commit</option>
      </Choice>
      <Choice
        label="Certificates"
        pointer="/tls"
        submission={submission}
        value={fields.tls}
        onChange={({ target }) => set('tls', TLS.find((tls) => tls === target.value) ?? 'off')}
      >
        <option value="off">None: plain http, or TLS ends at a proxy in front</option>
        <option value="automatic">Automatic (ACME)</option>
        <option value="certificate">Your own certificate</option>
      </Choice>
    </SavedSection>
  )
}

const TLS = ['off', 'certificate', 'automatic'] as const

const fieldsOf = (project: Project) => ({
  username: project.basic_auth?.username ?? '',
  password: '',
  forks: project.fork_pull_requests,
  tls: project.tls,
})

type Fields = ReturnType<typeof fieldsOf>

function bodyOf({ username, password }: Fields, changes: Partial<Fields>): ProjectChanges {
  const isAuthChanged = changes.username !== undefined || changes.password !== undefined
  return {
    ...(isAuthChanged && { basic_auth: username === '' ? null : { username, password } }),
    ...(changes.forks !== undefined && { fork_pull_requests: changes.forks }),
    ...(changes.tls !== undefined && { tls: changes.tls }),
  }
}
