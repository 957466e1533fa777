// Whether an organization requires two-factor codes of its members.
import { useQuery } from '@tanstack/react-query'
import { Failed } from '../../components/states.tsx'
import { showToast } from '../../components/toast.tsx'
import { TwoFactorSetting } from '../../components/two-factor-setting.tsx'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { useLiveQuery } from '../../data/live-query.ts'
import { membersQuery } from '../../data/queries.ts'

type Props = { readonly organizationId: number; readonly disabledReason: string | undefined }

export function RequiredTwoFactor({ organizationId, disabledReason }: Props) {
  const {
    data: organization,
    error,
    refetch,
  } = useQuery({
    queryKey: keys.organizationSettings(organizationId),
    queryFn: ({ signal }) => client.getOrganization({ params: { id: organizationId }, signal }),
  })
  const { data: members } = useLiveQuery(membersQuery(organizationId))
  if (organization === undefined) return error ? <Failed error={error} onRetry={() => void refetch()} /> : null
  const save = async (isOn: boolean): Promise<void> => {
    await client.updateOrganization({ params: { id: organizationId }, body: { require_two_factor: isOn } })
    await cache.invalidateQueries({ queryKey: keys.organizationSettings(organizationId) })
    showToast(isOn ? 'Two-factor codes are required' : 'Two-factor codes are no longer required')
  }
  return (
    <TwoFactorSetting
      about="Members without two-factor codes have no access until they turn them on. Accounts that have no password and sign in with the provider count as having them."
      isOn={organization.require_two_factor}
      disabledReason={disabledReason}
      without={members?.filter((member) => member.has_two_factor === false).map(({ user }) => user)}
      onSave={save}
    />
  )
}
