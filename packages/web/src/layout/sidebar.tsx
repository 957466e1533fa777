// Sidebar: organization switch, search, pages, and the environments of the current project.
import type { Environment, Project } from '@shipway/api'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import {
  BookOpen,
  ChevronsUpDown,
  Layers,
  Monitor,
  Moon,
  Search,
  Server,
  ShieldCheck,
  Sun,
  Users,
  Wrench,
} from 'lucide-react'
import { Brand } from '../components/brand.tsx'
import { Button } from '../components/button.tsx'
import { Menu, MenuItem } from '../components/menu.tsx'
import { useLiveQuery } from '../data/live-query.ts'
import { environmentsQuery, projectsQuery } from '../data/queries.ts'
import { environmentAppearance } from '../status/appearance.ts'
import { StatusIcon } from '../status/status-icon.tsx'
import { chooseTheme, THEME_NAMES, THEMES, type Theme, useTheme } from '../theme/theme.ts'
import { type CurrentPage, useCurrentPage } from './current-page.ts'
import { groupEnvironments } from './group-environments.ts'
import styles from './layout.module.css'

const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const

export function Sidebar({ onSearch }: { readonly onSearch: () => void }) {
  const current = useCurrentPage()
  return (
    <nav className={styles.sidebar} aria-label="Main">
      <Link className={styles.brand} to="/">
        <Brand />
        <span>Shipway</span>
      </Link>
      <OrganizationSwitch current={current} />
      <button className={styles.search} type="button" aria-keyshortcuts="Control+K" onClick={onSearch}>
        <Search {...icon} size={14} />
        Search or go to
        <kbd>Ctrl K</kbd>
      </button>
      <Pages current={current} />
      {current.project ? <ProjectPart project={current.project} /> : undefined}
      <div className={styles.foot}>
        <Link className={`${styles.switch} grow`} to="/profile">
          <span className={styles.avatar} aria-hidden="true">
            {initialsOf(current.me.name)}
          </span>
          <span className="cut small" title={current.me.name}>
            {current.me.name}
          </span>
        </Link>
        <a className={styles.docs} href="/docs" aria-label="Documentation" title="Documentation">
          <BookOpen {...icon} size={15} />
        </a>
        <ThemeButton />
      </div>
    </nav>
  )
}

function OrganizationSwitch({ current: { me, organization } }: { readonly current: CurrentPage }) {
  const navigate = useNavigate()
  if (organization === undefined) return null
  return (
    <Menu
      align="start"
      label="Organizations"
      trigger={(wiring) => (
        <button className={styles.switch} type="button" {...wiring}>
          <span className="visually-hidden">Organization</span>
          <span className="cut grow" title={organization.name}>
            {organization.name}
          </span>
          <ChevronsUpDown {...icon} size={14} />
        </button>
      )}
    >
      {me.organizations.map(({ id, name, role }) => (
        <MenuItem
          key={id}
          onChoose={() => void navigate({ to: '/organizations/$organizationId', params: { organizationId: id } })}
        >
          <span className="cut grow">{name}</span>
          <span className="tiny faint">{role}</span>
        </MenuItem>
      ))}
    </Menu>
  )
}

function Pages({ current: { me, organization } }: { readonly current: CurrentPage }) {
  const params = { organizationId: organization?.id ?? 0 }
  // Links to the first tab and is active on all of them.
  const isAboutOrganization = useRouterState({
    select: ({ location }) => /^\/organizations\/\d+\/(members|alerts|audit|settings)$/.test(location.pathname),
  })
  return (
    <div className={styles.nav}>
      {organization ? (
        <>
          <Link to="/organizations/$organizationId" params={params} activeOptions={{ exact: true }}>
            <Layers {...icon} />
            Projects
          </Link>
          <Link to="/organizations/$organizationId/servers" params={params}>
            <Server {...icon} />
            Servers
          </Link>
          <Link
            to="/organizations/$organizationId/members"
            params={params}
            {...(isAboutOrganization && { 'data-status': 'active' })}
          >
            <Users {...icon} />
            Organization
          </Link>
        </>
      ) : undefined}
      {me.is_platform_admin ? (
        <Link to="/admin">
          <Wrench {...icon} />
          Platform
        </Link>
      ) : undefined}
    </div>
  )
}

function ProjectPart({ project }: { readonly project: Project }) {
  const { data: environments = [] } = useLiveQuery(environmentsQuery(project.id))
  return (
    <>
      <div className={styles.rule} />
      <div>
        <ProjectSwitch project={project} />
        <div className={styles.nav}>
          {groupEnvironments(environments).map(([name, members]) => (
            <div key={name}>
              <div className={styles.group}>{name}</div>
              {members.map((environment) => (
                <EnvironmentLink key={environment.id} environment={environment} />
              ))}
            </div>
          ))}
        </div>
      </div>
    </>
  )
}

function ProjectSwitch({ project }: { readonly project: Project }) {
  const navigate = useNavigate()
  const { data: projects = [] } = useLiveQuery(projectsQuery(project.organization_id))
  return (
    <Menu
      align="start"
      label="Projects"
      trigger={(wiring) => (
        <button className={styles.switch} type="button" {...wiring}>
          <span className="visually-hidden">Project</span>
          <span className="cut grow" title={project.name}>
            {project.name}
          </span>
          <span className="small faint figures">
            {project.environments_used}/{project.environment_limit}
          </span>
          <ChevronsUpDown {...icon} size={14} />
        </button>
      )}
    >
      {projects.map(({ id, name }) => (
        <MenuItem key={id} onChoose={() => void navigate({ to: '/projects/$projectId', params: { projectId: id } })}>
          <span className="cut">{name}</span>
        </MenuItem>
      ))}
    </Menu>
  )
}

function EnvironmentLink({ environment }: { readonly environment: Environment }) {
  const appearance = environmentAppearance(environment)
  return (
    <Link to="/environments/$environmentId" params={{ environmentId: environment.id }}>
      <StatusIcon {...appearance} />
      <span className="cut" title={environment.name}>
        {environment.name}
      </span>
      <span className="visually-hidden">, {appearance.label}</span>
      <span className={styles.end}>
        {environment.variables_changed ? (
          <span title="Variables changed since the last deployment">
            <StatusIcon shape="triangle" tone="warn" size={12} />
            <span className="visually-hidden">, variables changed</span>
          </span>
        ) : undefined}
        {environment.protected ? (
          <span title="Protected">
            <ShieldCheck {...icon} size={13} />
            <span className="visually-hidden">, protected</span>
          </span>
        ) : undefined}
      </span>
    </Link>
  )
}

function ThemeButton() {
  const theme = useTheme()
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
  const Icon = THEME_ICONS[theme]
  const words = THEME_NAMES[theme].toLowerCase()
  return (
    <Button
      variant="quiet"
      isSmall
      isIcon
      aria-label={`Theme: ${words}`}
      title={`Theme: ${words}`}
      onClick={() => chooseTheme(next)}
    >
      <Icon {...icon} size={15} />
    </Button>
  )
}

const THEME_ICONS: Readonly<Record<Theme, typeof Sun>> = { system: Monitor, light: Sun, dark: Moon }

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .map((label) => [...label][0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase()
