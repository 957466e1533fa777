// Whether the platform requires two-factor codes of every user.
import { useQuery } from '@tanstack/react-query'
import { showToast } from '../../components/toast.tsx'
import { TwoFactorSetting } from '../../components/two-factor-setting.tsx'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { usersQuery } from './admin-queries.ts'

export function PlatformTwoFactor({ isOn }: { readonly isOn: boolean }) {
  const { data: users } = useQuery(usersQuery)
  const save = async (isRequired: boolean): Promise<void> => {
    cache.setQueryData(keys.platform, await client.updatePlatform({ body: { require_two_factor: isRequired } }))
    showToast(isRequired ? 'Two-factor codes are required' : 'Two-factor codes are no longer required')
  }
  return (
    <TwoFactorSetting
      about="Users without two-factor codes reach nothing but their profile until they turn them on. Accounts that have no password and sign in with the provider count as having them."
      isOn={isOn}
      without={users?.filter((user) => !user.has_two_factor)}
      onSave={save}
    />
  )
}
