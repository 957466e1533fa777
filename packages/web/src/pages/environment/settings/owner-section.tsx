// Whose an environment is. An owner of the organization hands it over.
import { ROLES } from '@shipway/api'
import { useState } from 'react'
import { Choice } from '../../../components/form.tsx'
import { useSending } from '../../../components/use-submission.ts'
import { useTold } from '../../../data/live-query.ts'
import { membersQuery } from '../../../data/queries.ts'
import { Locked, SavedForm, Section } from './section.tsx'
import { ownersLock, type SettingsPlace } from './settings-context.ts'
import { useSave } from './use-settings.ts'

const ABOUT = 'While it is protected nobody else can deploy or change it.'

export function OwnerSection({ place }: { readonly place: SettingsPlace }) {
  const lock = ownersLock(place)
  return (
    <Section title="Owner" about={ABOUT}>
      {lock === undefined ? (
        <OwnerForm place={place} />
      ) : (
        <Locked label="Owner" because={lock}>
          {place.environment.owner.name}
        </Locked>
      )}
    </Section>
  )
}

function OwnerForm({ place: { environment, organizationId } }: { readonly place: SettingsPlace }) {
  const { owner } = environment
  const [chosen, setChosen] = useState<number>()
  const { data: members = [] } = useTold(membersQuery(organizationId ?? 0), { isAsked: organizationId !== undefined })
  const sending = useSending(['/owner_id'])
  const save = useSave(environment.id)
  const able = members.filter(({ role }) => ROLES.indexOf(role) >= ROLES.indexOf('member'))
  const onSave = async (): Promise<void> => {
    if (chosen === undefined) return
    await save({ owner_id: chosen })
    setChosen(undefined)
  }
  return (
    <SavedForm
      label="Owner"
      sending={sending}
      isChanged={chosen !== undefined && chosen !== owner.id}
      onSave={() => void sending.send(onSave)}
      onUndo={() => setChosen(undefined)}
    >
      <Choice
        label="Owner"
        hint="Both are told by mail, where the platform sends any. Viewers can own nothing, so they are not listed"
        pointer="/owner_id"
        sending={sending}
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
