// Header and tabs of the organization's pages.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageHead, Tabs } from '../../components/page.tsx'
import { useCurrentPage } from '../../layout/current-page.ts'

type HeadProps = { readonly organizationId: number; readonly name: string; readonly buttons?: ReactNode }

export function OrganizationHead({ organizationId, name, buttons }: HeadProps) {
  const { me } = useCurrentPage()
  const organization = me.organizations.find(({ id }) => id === organizationId)
  const params = { organizationId }
  return (
    <>
      <PageHead
        name={name}
        title={organization?.name ?? 'Organization'}
        under={organization ? <span>Your role: {organization.role}</span> : undefined}
        {...(buttons !== undefined && { buttons })}
      />
      <Tabs label="Organization">
        <Link to="/organizations/$organizationId/members" params={params}>
          Members
        </Link>
        <Link to="/organizations/$organizationId/alerts" params={params}>
          Alerts
        </Link>
        <Link to="/organizations/$organizationId/connections" params={params}>
          Connections
        </Link>
        <Link to="/organizations/$organizationId/audit" params={params}>
          Audit
        </Link>
        <Link to="/organizations/$organizationId/settings" params={params}>
          Settings
        </Link>
      </Tabs>
    </>
  )
}
