// Environment limit of a project, set by platform administrators.
import type { Project } from '@shipway/api'
import { useState } from 'react'
import { TextField } from '../../../components/form.tsx'
import { SavedSection } from '../../../components/section.tsx'
import { showToast } from '../../../components/toast.tsx'
import { useSubmission } from '../../../components/use-submission.ts'
import { client } from '../../../data/client.ts'
import { useCurrentPage } from '../../../layout/current-page.ts'

export function LimitSettings({ project }: { readonly project: Project }) {
  const { me } = useCurrentPage()
  const [limit, setLimit] = useState(String(project.environment_limit))
  const submission = useSubmission(['/environment_limit'])
  const save = async (): Promise<void> => {
    await client.updateProject({ params: { id: project.id }, body: { environment_limit: Number(limit) } })
    showToast('Saved')
  }
  return (
    <SavedSection
      title="Environment limit"
      about="At the limit, pull requests wait for a free slot, oldest first."
      submission={submission}
      isChanged={limit !== String(project.environment_limit)}
      disabledReason={me.is_platform_admin ? undefined : 'Only platform administrators can change the limit'}
      onSave={() => void submission.submit(save)}
    >
      <TextField
        label="Maximum number of environments"
        pointer="/environment_limit"
        submission={submission}
        inputMode="numeric"
        value={limit}
        onChange={({ target }) => setLimit(target.value)}
      />
    </SavedSection>
  )
}
