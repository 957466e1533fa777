// Top bar: breadcrumbs and connection state.
import { Link, type LinkProps, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Brand } from '../components/brand.tsx'
import { type ConnectionState, useConnectionState, useTopics } from '../data/live.ts'
import { StatusIcon } from '../status/status-icon.tsx'
import { type CurrentPage, useCurrentPage } from './current-page.ts'
import styles from './layout.module.css'

export function TopBar({ opener }: { readonly opener: ReactNode }) {
  const current = useCurrentPage()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // Subscribes on every page: the sidebar shows names and roles of the organization.
  useTopics(current.organization ? [`organization:${current.organization.id}`] : [])
  return (
    <header className={styles.topBar}>
      {opener}
      <nav aria-label="You are here" className="grow">
        <ol className={styles.crumbs}>
          {crumbsOf(current, path).map(({ name, link }, index, all) => (
            <li key={name}>
              {index === all.length - 1 ? (
                <span className="cut" aria-current="page" title={name}>
                  {name}
                </span>
              ) : (
                <Link className="cut" title={name} activeOptions={{ exact: true }} {...link}>
                  {name}
                </Link>
              )}
            </li>
          ))}
        </ol>
      </nav>
      <ConnectionStatus state={useConnectionState()} />
    </header>
  )
}

type Crumb = { readonly name: string; readonly link: LinkProps }

function crumbsOf({ organization, project, environment, taskId }: CurrentPage, path: string): readonly Crumb[] {
  const projects: Crumb[] = organization
    ? [
        {
          name: 'Projects',
          link: { to: '/organizations/$organizationId', params: { organizationId: organization.id } },
        },
      ]
    : []
  const alone = ALONE.find(({ pattern }) => pattern.test(path))
  if (alone) return [...(alone.isUnderProjects ? projects : []), { name: alone.name, link: {} }]
  return [
    ...projects,
    ...(project
      ? [{ name: project.name, link: { to: '/projects/$projectId', params: { projectId: project.id } } as LinkProps }]
      : []),
    ...(environment
      ? [
          {
            name: environment.name,
            link: { to: '/environments/$environmentId', params: { environmentId: environment.id } } as LinkProps,
          },
        ]
      : []),
    ...(taskId === undefined ? [] : [{ name: `#${taskId}`, link: {} }]),
  ]
}

/** Pages outside of projects. */
const ALONE: readonly { pattern: RegExp; name: string; isUnderProjects?: boolean }[] = [
  { pattern: /\/projects\/new$/, name: 'New project', isUnderProjects: true },
  { pattern: /\/servers$/, name: 'Servers' },
  { pattern: /^\/organizations\/\d+\/(members|alerts|audit|settings)$/, name: 'Organization' },
  { pattern: /^\/profile/, name: 'Profile' },
  { pattern: /^\/admin/, name: 'Platform' },
]

function ConnectionStatus({ state }: { readonly state: ConnectionState }) {
  if (state === 'offline' || state === 'signed_out') {
    return (
      <span className={`${styles.connection} warn`} role="status">
        <StatusIcon shape="triangle" tone="warn" />
        Offline: this page may be out of date
      </span>
    )
  }
  return (
    <span className={`${styles.connection} ${styles.online}`}>
      <Brand size={13} />
      <span>{state === 'online' ? 'Updates live' : 'Connecting'}</span>
    </span>
  )
}
