// What users see of an organization, or of the platform, that requires two-factor codes which their account lacks.
import type { Me } from '@shipway/api'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { DocumentTitle } from '../components/document-title.tsx'
import { Empty, Notice } from '../components/states.tsx'
import { useCurrentPage } from './current-page.ts'
import styles from './layout.module.css'

/** The page, or what is in its way. The profile stays open: there the codes are turned on. */
export function UnlockedOutlet() {
  const { me } = useCurrentPage()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const needed = me.needs_two_factor
  if (needed === null) return <Outlet />
  const isOutside = needed.by_platform || me.organizations.length === 0
  if (isOutside && path !== '/profile') return <TwoFactorRequired needed={needed} />
  return (
    <>
      <div className={styles.requirement}>
        <Notice tone="warn">
          <p>
            {requirement(needed)}{' '}
            {path === '/profile' ? (
              'Turn them on below to get access.'
            ) : (
              <Link to="/profile" className="link">
                Turn them on in your profile
              </Link>
            )}
          </p>
        </Notice>
      </div>
      <Outlet />
    </>
  )
}

export function TwoFactorRequired({ needed }: { readonly needed: NonNullable<Me['needs_two_factor']> }) {
  return (
    <>
      <DocumentTitle>Two-factor codes required</DocumentTitle>
      <h1 className="visually-hidden">Two-factor codes required</h1>
      <Empty
        title="Turn on two-factor codes to continue"
        action={
          <Link to="/profile" className="link small">
            Turn on two-factor codes
          </Link>
        }
      >
        {requirement(needed)} Your account has none yet. It takes an authenticator app and two minutes; afterwards you
        and your tokens have the same access as before.
      </Empty>
    </>
  )
}

function requirement({ by_platform: isByPlatform, organizations }: NonNullable<Me['needs_two_factor']>): string {
  if (isByPlatform) return 'This platform requires two-factor codes.'
  const names = new Intl.ListFormat('en').format(organizations.map(({ name }) => name))
  return `${names} ${organizations.length === 1 ? 'requires' : 'require'} two-factor codes.`
}
