// The head of the pages about an organization: its name, and a tab for each.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageHead, Tabs } from '../../components/page.tsx'
import { useHere } from '../../layout/current-page.ts'

type HeadProps = { readonly organizationId: number; readonly name: string; readonly acts?: ReactNode }

export function OrganizationHead({ organizationId, name, acts }: HeadProps) {
  const { me } = useHere()
  const organization = me.organizations.find(({ id }) => id === organizationId)
  const params = { organizationId }
  return (
    <>
      <PageHead
        name={name}
        title={organization?.name ?? 'Organization'}
        under={organization ? <span>You are {organization.role} here</span> : undefined}
        {...(acts !== undefined && { acts })}
      />
      <Tabs label="Organization">
        <Link to="/organizations/$organizationId/members" params={params}>
          Members
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
