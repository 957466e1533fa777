// The `.service.yml` that the project keeps for commits that have none.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TextArea } from '../../../components/form.tsx'
import { SavedSection } from '../../../components/section.tsx'
import { Failed, Loading } from '../../../components/states.tsx'
import { showToast } from '../../../components/toast.tsx'
import { useSubmission } from '../../../components/use-submission.ts'
import { client } from '../../../data/client.ts'
import { serviceFileQuery } from '../../../data/service-file.ts'
import type { SettingsProps } from './settings-props.ts'

export function ServiceFileSettings({ project, disabledReason }: SettingsProps) {
  const { data: saved, error, refetch } = useQuery(serviceFileQuery(project))
  const [draft, setDraft] = useState<string>()
  const submission = useSubmission(['/service_file'])
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (saved === undefined) return <Loading what="Loading .service.yml" />
  const wanted = draft ?? saved.content ?? ''
  const save = async (): Promise<void> => {
    const body = { service_file: wanted.trim() === '' ? null : wanted }
    await client.updateProject({ params: { id: project.id }, body })
    setDraft(undefined)
    showToast('Saved')
  }
  return (
    <SavedSection
      title="Service file"
      about="For commits without a .service.yml, from the next deployment on. A committed file always wins."
      submission={submission}
      isChanged={wanted !== (saved.content ?? '')}
      disabledReason={disabledReason}
      onSave={() => void submission.submit(save)}
    >
      <TextArea
        label=".service.yml"
        hint="Leave it empty if every commit has its own. Rules about pull requests and checks are settings of this page."
        pointer="/service_file"
        submission={submission}
        rows={12}
        spellCheck={false}
        value={wanted}
        onChange={({ target }) => setDraft(target.value)}
      />
    </SavedSection>
  )
}
