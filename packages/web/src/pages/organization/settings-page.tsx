// The organization itself: its name, its end, and the making of another.
import { useParams } from '@tanstack/react-router'
import { TextField } from '../../components/form.tsx'
import { SavedSection } from '../../components/section.tsx'
import { tell } from '../../components/toast.tsx'
import { useDraft } from '../../components/use-draft.ts'
import { useSending } from '../../components/use-submission.ts'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { needs } from '../../data/disabled-reasons.ts'
import { keys } from '../../data/keys.ts'
import { useHere } from '../../layout/current-page.ts'
import { DeleteOrganization } from './delete-organization.tsx'
import { NewOrganization } from './new-organization.tsx'
import { OrganizationHead } from './organization-head.tsx'

export function OrganizationSettingsPage() {
  const { organizationId } = useParams({ from: '/inside/organizations/$organizationId/settings' })
  const { me } = useHere()
  const organization = me.organizations.find(({ id }) => id === organizationId)
  const lockedBecause = needs('owner', { me, organizationId })
  return (
    <>
      <OrganizationHead organizationId={organizationId} name="Settings" />
      {organization ? (
        <>
          <Rename key={organizationId} organization={organization} lockedBecause={lockedBecause} />
          <NewOrganization />
          <DeleteOrganization organization={organization} lockedBecause={lockedBecause} />
        </>
      ) : undefined}
    </>
  )
}

type Props = {
  readonly organization: { readonly id: number; readonly name: string }
  readonly lockedBecause: string | undefined
}

function Rename({ organization, lockedBecause }: Props) {
  const sending = useSending(['/name'])
  const { fields, isChanged, set, reset } = useDraft({ name: organization.name })
  const save = async (): Promise<void> => {
    await client.updateOrganization({ params: { id: organization.id }, body: { name: fields.name } })
    await cache.invalidateQueries({ queryKey: keys.me })
    reset()
    tell('Saved')
  }
  return (
    <SavedSection
      title="Name"
      about="Whatever the organization has keeps its addresses."
      {...{ sending, isChanged, lockedBecause }}
      onSave={() => void sending.send(save)}
    >
      <TextField
        label="Name"
        pointer="/name"
        sending={sending}
        value={fields.name}
        onChange={({ target }) => set('name', target.value)}
      />
    </SavedSection>
  )
}
