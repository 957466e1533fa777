// Pages of an organization, or a page that says it is not there.
import { Outlet, useParams } from '@tanstack/react-router'
import { useCurrentPage } from './current-page.ts'
import { PageNotFound } from './page-failed.tsx'
import { TwoFactorRequired } from './two-factor-required.tsx'

export function OrganizationOutlet() {
  const { me } = useCurrentPage()
  const { organizationId } = useParams({ from: '/signed-in/organizations/$organizationId' })
  if (me.organizations.some(({ id }) => id === organizationId)) return <Outlet />
  const locked = me.needs_two_factor?.organizations.filter(({ id }) => id === organizationId) ?? []
  if (locked.length === 0) return <PageNotFound />
  return <TwoFactorRequired needed={{ by_platform: false, organizations: locked }} />
}
