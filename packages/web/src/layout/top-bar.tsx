// The bar above a page: where it is, and whether it is kept up to date.
import { Link, type LinkProps, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Brand } from '../components/brand.tsx'
import { type Connectedness, useConnectedness, useTopics } from '../data/live.ts'
import { Sign } from '../status/status-icon.tsx'
import { type Here, useHere } from './current-page.ts'
import styles from './layout.module.css'

export function Bar({ opener }: { readonly opener: ReactNode }) {
  const here = useHere()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // Also where the page itself shows nothing that is told of: names and roles in the rail are.
  useTopics(here.organization ? [`organization:${here.organization.id}`] : [])
  return (
    <header className={styles.bar}>
      {opener}
      <nav aria-label="You are here" className="grow">
        <ol className={styles.crumbs}>
          {crumbsOf(here, path).map(({ name, link }, index, all) => (
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
      <Told state={useConnectedness()} />
    </header>
  )
}

type Crumb = { readonly name: string; readonly link: LinkProps }

function crumbsOf({ organization, project, environment, taskId }: Here, path: string): readonly Crumb[] {
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

/** Pages that belong to no project. */
const ALONE: readonly { pattern: RegExp; name: string; isUnderProjects?: boolean }[] = [
  { pattern: /\/projects\/new$/, name: 'New project', isUnderProjects: true },
  { pattern: /\/servers$/, name: 'Servers' },
  { pattern: /^\/organizations\/\d+\/(members|audit|settings)$/, name: 'Organization' },
  { pattern: /^\/profile/, name: 'Profile' },
  { pattern: /^\/admin/, name: 'Platform' },
]

function Told({ state }: { readonly state: Connectedness }) {
  if (state === 'offline' || state === 'signed_out') {
    return (
      <span className={`${styles.told} warn`} role="status">
        <Sign silhouette="triangle" tone="warn" />
        Offline: what you see may be old
      </span>
    )
  }
  return (
    <span className={`${styles.told} ${styles.fine}`}>
      <Brand size={13} />
      <span>{state === 'online' ? 'Updates live' : 'Connecting'}</span>
    </span>
  )
}
