// Time to live of pull request environments.
import { useState } from 'react'
import { TextField } from '../../../components/form.tsx'
import { SavedSection } from '../../../components/section.tsx'
import { showToast } from '../../../components/toast.tsx'
import { useSubmission } from '../../../components/use-submission.ts'
import { client } from '../../../data/client.ts'
import type { SettingsProps } from './settings-props.ts'

export function LifetimeSettings({ project, disabledReason }: SettingsProps) {
  const present = project.expire_after ?? ''
  const [draft, setDraft] = useState<string>()
  const wanted = draft?.trim() ?? present
  const submission = useSubmission(['/expire_after'])
  const save = async (): Promise<void> => {
    const body = { expire_after: wanted === '' ? null : wanted }
    await client.updateProject({ params: { id: project.id }, body })
    setDraft(undefined)
    showToast('Saved')
  }
  return (
    <SavedSection
      title="Time to live"
      about="Environments of pull requests are removed when nothing was deployed for this long. Sticky and protected ones stay, and a new commit creates the environment again."
      submission={submission}
      isChanged={wanted !== present}
      disabledReason={disabledReason}
      onSave={() => void submission.submit(save)}
    >
      <TextField
        label="Remove after"
        hint="Hours or days, such as 72h or 7d. Empty: when the pull request is closed. A change takes effect after one day at the earliest"
        pointer="/expire_after"
        submission={submission}
        autoComplete="off"
        placeholder="never"
        value={draft ?? present}
        onChange={({ target }) => setDraft(target.value)}
      />
    </SavedSection>
  )
}
