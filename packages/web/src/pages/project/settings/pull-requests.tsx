// Which pull requests get an environment.
import type { Project, PullRequestChanges } from '@shipway/api'
import { Checkbox, Choice, TextArea, TextField } from '../../../components/form.tsx'
import { SavedSection } from '../../../components/section.tsx'
import { showToast } from '../../../components/toast.tsx'
import { useDraft } from '../../../components/use-draft.ts'
import { useSubmission } from '../../../components/use-submission.ts'
import { client } from '../../../data/client.ts'
import { readsOverHttps } from '../../../text/connection.ts'
import { FileRules } from './file-rules.tsx'
import type { SettingsProps } from './settings-props.ts'

const POINTERS = [
  '/pull_requests/enabled',
  '/pull_requests/labels',
  '/pull_requests/target_branches',
  '/pull_requests/paths',
]

export function PullRequestSettings({ project, disabledReason }: SettingsProps) {
  const submission = useSubmission(POINTERS)
  const { fields, changes, isChanged, set, reset } = useDraft(fieldsOf(project))
  const save = async (): Promise<void> => {
    await client.updateProject({ params: { id: project.id }, body: { pull_requests: bodyOf(changes) } })
    reset()
    showToast('Saved')
  }
  return (
    <SavedSection
      title="Pull requests"
      about="Which pull requests get an environment. A change also applies to open pull requests within a minute: environments that the rules exclude are removed, unless they are protected."
      submission={submission}
      isChanged={isChanged}
      disabledReason={disabledReason}
      onSave={() => void submission.submit(save)}
    >
      <FileRules project={project} section="pull_requests" />
      {project.pull_requests_file?.fault ? <p className="small warn">{project.pull_requests_file.fault}</p> : undefined}
      <Choice
        label="Create environments for"
        pointer="/pull_requests/enabled"
        submission={submission}
        value={fields.enabled}
        onChange={({ target }) => set('enabled', ENABLED.find((one) => one === target.value) ?? 'true')}
      >
        <option value="true">All pull requests</option>
        <option value="label">Pull requests with a label</option>
        <option value="false">No pull requests</option>
      </Choice>
      {fields.enabled === 'label' ? (
        <TextField
          label="Labels"
          hint="Separated by commas; one of them is enough. Removing the last one removes the environment"
          pointer="/pull_requests/labels"
          submission={submission}
          autoComplete="off"
          placeholder="preview"
          value={fields.labels}
          onChange={({ target }) => set('labels', target.value)}
        />
      ) : undefined}
      <Checkbox
        label="Drafts"
        hint="Off: a draft waits until it is ready for review"
        checked={fields.drafts}
        onChange={({ target }) => set('drafts', target.checked)}
      />
      <Checkbox
        label="Bots"
        hint="Accounts that the git host marks as bots, such as Dependabot and Renovate"
        checked={fields.bots}
        onChange={({ target }) => set('bots', target.checked)}
      />
      <Checkbox
        label="Commands in comments"
        hint="/preview, /preview stop and /preview redeploy, from people with write access to the repository. Needs a connection or a git host token"
        checked={fields.comments}
        onChange={({ target }) => set('comments', target.checked)}
      />
      {fields.comments && project.connection_id !== null && readsOverHttps(project) ? (
        <p className="small">
          GitHub sends comments only to Apps that may read issues. Open your App on GitHub, give it{' '}
          <b>Issues: read-only</b> and the event <b>Issue comment</b>, and accept the new permission. Until then,
          commands do nothing.
        </p>
      ) : undefined}
      <TextArea
        label="Target branches"
        hint="One per line, such as release/*. Empty: all"
        pointer="/pull_requests/target_branches"
        submission={submission}
        rows={2}
        value={fields.targetBranches}
        onChange={({ target }) => set('targetBranches', target.value)}
      />
      <TextArea
        label="Paths"
        hint="One per line, such as apps/shop/** or !**/*.md. Empty: all. A push that changes no matching file is not deployed"
        pointer="/pull_requests/paths"
        submission={submission}
        rows={2}
        value={fields.paths}
        onChange={({ target }) => set('paths', target.value)}
      />
    </SavedSection>
  )
}

const ENABLED = ['true', 'label', 'false'] as const

const fieldsOf = ({ pull_requests: rules }: Project) => ({
  enabled: ENABLED.find((one) => one === String(rules.enabled)) ?? 'true',
  labels: rules.labels.join(', '),
  drafts: rules.drafts,
  bots: rules.bots,
  comments: rules.comments,
  targetBranches: rules.target_branches.join('\n'),
  paths: rules.paths.join('\n'),
})

function bodyOf({
  enabled,
  labels,
  drafts,
  bots,
  comments,
  targetBranches,
  paths,
}: Partial<ReturnType<typeof fieldsOf>>): PullRequestChanges {
  return {
    ...(enabled !== undefined && { enabled: enabled === 'label' ? enabled : enabled === 'true' }),
    ...(labels !== undefined && { labels: wordsOf(labels, ',') }),
    ...(drafts !== undefined && { drafts }),
    ...(bots !== undefined && { bots }),
    ...(comments !== undefined && { comments }),
    ...(targetBranches !== undefined && { target_branches: wordsOf(targetBranches, '\n') }),
    ...(paths !== undefined && { paths: wordsOf(paths, '\n') }),
  }
}

const wordsOf = (text: string, separator: string): string[] =>
  text
    .split(separator)
    .map((word) => word.trim())
    .filter((word) => word !== '')
