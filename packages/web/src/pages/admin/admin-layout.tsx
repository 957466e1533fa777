// Header and tabs of the pages for platform administrators. Other users see a sentence instead of the page.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageHead, Tabs } from '../../components/page.tsx'
import { Notice } from '../../components/states.tsx'
import { useCurrentPage } from '../../layout/current-page.ts'

type AdminProps = { readonly name: string; readonly children: ReactNode }

export function AdminLayout({ name, children }: AdminProps) {
  const { me } = useCurrentPage()
  return (
    <>
      <PageHead name={name} title="Platform" under={<span>{location.host}</span>} />
      {me.is_platform_admin ? (
        <>
          <Tabs label="Platform">
            <Link to="/admin" activeOptions={{ exact: true }}>
              Overview
            </Link>
            <Link to="/admin/users">Users</Link>
            <Link to="/admin/organizations">Organizations</Link>
          </Tabs>
          {children}
        </>
      ) : (
        <Notice tone="calm">
          Only platform administrators can see this page. The user who set up the platform is one.
        </Notice>
      )}
    </>
  )
}
