// The rail: the organization, the search, the pages, and the environments of the project that one is in.
import type { Environment, Project } from '@shipway/api'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { ChevronsUpDown, Layers, Monitor, Moon, Search, Server, ShieldCheck, Sun, Users, Wrench } from 'lucide-react'
import { Brand } from '../components/brand.tsx'
import { Button } from '../components/button.tsx'
import { Menu, MenuItem } from '../components/menu.tsx'
import { useTold } from '../data/live-query.ts'
import { environmentsQuery, projectsQuery } from '../data/queries.ts'
import { environmentShown } from '../status/appearance.ts'
import { Sign } from '../status/status-icon.tsx'
import { chooseTheme, THEMES, type Theme, useTheme } from '../theme/theme.ts'
import { type Here, useHere } from './current-page.ts'
import { groupsOf } from './group-environments.ts'
import styles from './layout.module.css'

const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const

export function Rail({ onSearch }: { readonly onSearch: () => void }) {
  const here = useHere()
  return (
    <nav className={styles.rail} aria-label="Main">
      <Link className={styles.brand} to="/">
        <Brand />
        <span>Shipway</span>
      </Link>
      <OrganizationSwitch here={here} />
      <button className={styles.find} type="button" aria-keyshortcuts="Control+K" onClick={onSearch}>
        <Search {...icon} size={14} />
        Search or go to
        <kbd>Ctrl K</kbd>
      </button>
      <Pages here={here} />
      {here.project ? <ProjectPart project={here.project} /> : undefined}
      <div className={styles.foot}>
        <Link className={`${styles.switch} grow`} to="/profile">
          <span className={styles.avatar} aria-hidden="true">
            {initialsOf(here.me.name)}
          </span>
          <span className="cut small" title={here.me.name}>
            {here.me.name}
          </span>
        </Link>
        <ThemeButton />
      </div>
    </nav>
  )
}

function OrganizationSwitch({ here: { me, organization } }: { readonly here: Here }) {
  const navigate = useNavigate()
  if (organization === undefined) return null
  return (
    <Menu
      align="start"
      label="Organizations"
      trigger={(wiring) => (
        <button className={styles.switch} type="button" {...wiring}>
          <span className="unseen">Organization</span>
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

function Pages({ here: { me, organization } }: { readonly here: Here }) {
  const params = { organizationId: organization?.id ?? 0 }
  // It leads to the first of its tabs, and stands for all of them.
  const isAboutOrganization = useRouterState({
    select: ({ location }) => /^\/organizations\/\d+\/(members|audit|settings)$/.test(location.pathname),
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
  const { data: environments = [] } = useTold(environmentsQuery(project.id))
  return (
    <>
      <div className={styles.rule} />
      <div>
        <ProjectSwitch project={project} />
        <div className={styles.nav}>
          {groupsOf(environments).map(([name, members]) => (
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
  const { data: projects = [] } = useTold(projectsQuery(project.organization_id))
  return (
    <Menu
      align="start"
      label="Projects"
      trigger={(wiring) => (
        <button className={styles.switch} type="button" {...wiring}>
          <span className="unseen">Project</span>
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
  const shown = environmentShown(environment)
  return (
    <Link to="/environments/$environmentId" params={{ environmentId: environment.id }}>
      <Sign {...shown} />
      <span className="cut" title={environment.name}>
        {environment.name}
      </span>
      <span className="unseen">, {shown.word}</span>
      <span className={styles.end}>
        {environment.variables_changed ? (
          <span title="Variables changed since the last deployment">
            <Sign silhouette="triangle" tone="warn" size={12} />
            <span className="unseen">, variables changed</span>
          </span>
        ) : undefined}
        {environment.protected ? (
          <span title="Protected">
            <ShieldCheck {...icon} size={13} />
            <span className="unseen">, protected</span>
          </span>
        ) : undefined}
      </span>
    </Link>
  )
}

function ThemeButton() {
  const theme = useTheme()
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
  const { Icon, words } = THEME_WORDS[theme]
  return (
    <Button
      look="quiet"
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

const THEME_WORDS: Readonly<Record<Theme, { Icon: typeof Sun; words: string }>> = {
  system: { Icon: Monitor, words: 'as the system' },
  light: { Icon: Sun, words: 'light' },
  dark: { Icon: Moon, words: 'dark' },
}

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase()
