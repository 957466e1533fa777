// Owner of an environment. Owners of the organization can transfer it.
import { mayOwn } from '@shipway/api'
import { useState } from 'react'
import { Choice } from '../../../components/form.tsx'
import { useSubmission } from '../../../components/use-submission.ts'
import { useLiveQuery } from '../../../data/live-query.ts'
import { membersQuery } from '../../../data/queries.ts'
import { Locked, SavedForm, Section } from './section.tsx'
import { type SettingsContext, whyNotOwner } from './settings-context.ts'
import { useSave } from './use-settings.ts'

const ABOUT = 'Only the owner can deploy or change a protected environment.'

export function OwnerSection({ context }: { readonly context: SettingsContext }) {
  const reason = whyNotOwner(context)
  return (
    <Section title="Owner" about={ABOUT}>
      {reason === undefined ? (
        <OwnerForm context={context} />
      ) : (
        <Locked label="Owner" because={reason}>
          {context.environment.owner.name}
        </Locked>
      )}
    </Section>
  )
}

function OwnerForm({ context: { environment, organizationId } }: { readonly context: SettingsContext }) {
  const { owner } = environment
  const [chosen, setChosen] = useState<number>()
  const { data: members = [] } = useLiveQuery(membersQuery(organizationId ?? 0), {
    isEnabled: organizationId !== undefined,
  })
  const submission = useSubmission(['/owner_id'])
  const save = useSave(environment.id)
  const able = members.filter(({ role }) => mayOwn(role))
  const onSave = async (): Promise<void> => {
    if (chosen === undefined) return
    await save({ owner_id: chosen })
    setChosen(undefined)
  }
  return (
    <SavedForm
      label="Owner"
      submission={submission}
      isChanged={chosen !== undefined && chosen !== owner.id}
      onSave={() => void submission.submit(onSave)}
      onUndo={() => setChosen(undefined)}
    >
      <Choice
        label="Owner"
        hint="Both are notified by mail. Viewers cannot own environments and are not listed"
        pointer="/owner_id"
        submission={submission}
        value={chosen ?? owner.id}
        onChange={({ target }) => setChosen(Number(target.value))}
      >
        {able.some(({ user }) => user.id === owner.id) ? undefined : <option value={owner.id}>{owner.name}</option>}
        {able.map(({ user }) => (
          <option key={user.id} value={user.id}>
            {user.name} ({user.email})
          </option>
        ))}
      </Choice>
    </SavedForm>
  )
}
