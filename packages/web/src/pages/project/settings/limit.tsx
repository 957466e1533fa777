// How many environments the project may have: for platform administrators to say.
import type { Project } from '@shipway/api'
import { useState } from 'react'
import { TextField } from '../../../components/form.tsx'
import { SavedSection } from '../../../components/section.tsx'
import { tell } from '../../../components/toast.tsx'
import { useSending } from '../../../components/use-submission.ts'
import { client } from '../../../data/client.ts'
import { useHere } from '../../../layout/current-page.ts'

export function LimitSettings({ project }: { readonly project: Project }) {
  const { me } = useHere()
  const [limit, setLimit] = useState(String(project.environment_limit))
  const sending = useSending(['/environment_limit'])
  const save = async (): Promise<void> => {
    await client.updateProject({ params: { id: project.id }, body: { environment_limit: Number(limit) } })
    tell('Saved')
  }
  return (
    <SavedSection
      title="Environment limit"
      about="At the limit, pull requests wait and get their environment when one is deleted, oldest first."
      sending={sending}
      isChanged={limit !== String(project.environment_limit)}
      lockedBecause={me.is_platform_admin ? undefined : 'A platform administrator can change the limit'}
      onSave={() => void sending.send(save)}
    >
      <TextField
        label="Environments at most"
        pointer="/environment_limit"
        sending={sending}
        inputMode="numeric"
        value={limit}
        onChange={({ target }) => setLimit(target.value)}
      />
    </SavedSection>
  )
}
