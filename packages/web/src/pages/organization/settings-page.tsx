// Settings of an organization: name, channels, alert rules, create another, delete.
import { useParams } from '@tanstack/react-router'
import { TextField } from '../../components/form.tsx'
import { SavedSection } from '../../components/section.tsx'
import { showToast } from '../../components/toast.tsx'
import { useDraft } from '../../components/use-draft.ts'
import { useSubmission } from '../../components/use-submission.ts'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { missingPermission } from '../../data/disabled-reasons.ts'
import { keys } from '../../data/keys.ts'
import { useCurrentPage } from '../../layout/current-page.ts'
import { AlertRulesSettings } from './alerts/alert-rules-settings.tsx'
import { ChannelsSettings } from './channels/channels-settings.tsx'
import { DeleteOrganization } from './delete-organization.tsx'
import { NewOrganization } from './new-organization.tsx'
import { OrganizationHead } from './organization-head.tsx'
import { RequiredTwoFactor } from './required-two-factor.tsx'

export function OrganizationSettingsPage() {
  const { organizationId } = useParams({ from: '/signed-in/organizations/$organizationId/settings' })
  const { me } = useCurrentPage()
  const organization = me.organizations.find(({ id }) => id === organizationId)
  const disabledReason = missingPermission('own_organization', { me, organizationId })
  return (
    <>
      <OrganizationHead organizationId={organizationId} name="Settings" />
      {organization ? (
        <>
          <Rename key={organizationId} organization={organization} disabledReason={disabledReason} />
          <RequiredTwoFactor organizationId={organizationId} disabledReason={disabledReason} />
          <ChannelsSettings organizationId={organizationId} />
          <AlertRulesSettings organizationId={organizationId} />
          <NewOrganization />
          <DeleteOrganization organization={organization} disabledReason={disabledReason} />
        </>
      ) : undefined}
    </>
  )
}

type Props = {
  readonly organization: { readonly id: number; readonly name: string }
  readonly disabledReason: string | undefined
}

function Rename({ organization, disabledReason }: Props) {
  const submission = useSubmission(['/name'])
  const { fields, isChanged, set, reset } = useDraft({ name: organization.name })
  const save = async (): Promise<void> => {
    await client.updateOrganization({ params: { id: organization.id }, body: { name: fields.name } })
    await cache.invalidateQueries({ queryKey: keys.me })
    reset()
    showToast('Saved')
  }
  return (
    <SavedSection
      title="Name"
      about="Addresses stay the same."
      submission={submission}
      isChanged={isChanged}
      disabledReason={disabledReason}
      onSave={() => void submission.submit(save)}
    >
      <TextField
        label="Name"
        pointer="/name"
        submission={submission}
        value={fields.name}
        onChange={({ target }) => set('name', target.value)}
      />
    </SavedSection>
  )
}
