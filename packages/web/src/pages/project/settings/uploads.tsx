// Whether environments of `shipway up` get the variables of the project.
import { useState } from 'react'
import { Checkbox } from '../../../components/form.tsx'
import { SavedSection } from '../../../components/section.tsx'
import { showToast } from '../../../components/toast.tsx'
import { useSubmission } from '../../../components/use-submission.ts'
import { client } from '../../../data/client.ts'
import type { SettingsProps } from './settings-props.ts'

export function UploadSettings({ project, disabledReason }: SettingsProps) {
  const [draft, setDraft] = useState<boolean>()
  const wanted = draft ?? project.upload_variables
  const submission = useSubmission(['/upload_variables'])
  const save = async (): Promise<void> => {
    await client.updateProject({ params: { id: project.id }, body: { upload_variables: wanted } })
    setDraft(undefined)
    showToast('Saved')
  }
  return (
    <SavedSection
      title="Uploads"
      about="With shipway up, members deploy their working tree to an environment of their own. Its code is in no branch, so nothing says that it was reviewed."
      submission={submission}
      isChanged={wanted !== project.upload_variables}
      disabledReason={disabledReason}
      onSave={() => void submission.submit(save)}
    >
      <Checkbox
        label="Hand over the project's variables"
        hint="Members can then read their values with code that they upload. Variables of the environment itself are always handed over"
        checked={wanted}
        onChange={({ target }) => setDraft(target.checked)}
      />
    </SavedSection>
  )
}
