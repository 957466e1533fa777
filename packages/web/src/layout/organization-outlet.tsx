// Pages of an organization, or a page that says it is not there.
import { Outlet, useParams } from '@tanstack/react-router'
import { useCurrentPage } from './current-page.ts'
import { PageNotFound } from './page-failed.tsx'

export function OrganizationOutlet() {
  const { me } = useCurrentPage()
  const { organizationId } = useParams({ from: '/signed-in/organizations/$organizationId' })
  return me.organizations.some(({ id }) => id === organizationId) ? <Outlet /> : <PageNotFound />
}
