// All entries of the command palette: actions of the current page first, then environments, projects, servers and pages.
import type { Overview } from '@shipway/api'
import { useNavigate } from '@tanstack/react-router'
import { showToast } from '../../components/toast.tsx'
import { client } from '../../data/client.ts'
import { whyNotDeploy } from '../../data/disabled-reasons.ts'
import { useLiveQuery } from '../../data/live-query.ts'
import { overviewQuery, projectsQuery, serversQuery } from '../../data/queries.ts'
import { startSession } from '../../data/start-session.ts'
import { environmentAppearance } from '../../status/appearance.ts'
import { chooseTheme, THEME_NAMES, THEMES } from '../../theme/theme.ts'
import { type CurrentPage, useCurrentPage } from '../current-page.ts'
import { keysAreShown } from '../keys-dialog.tsx'
import type { Entry } from './find-entries.ts'

type Navigate = ReturnType<typeof useNavigate>

export function useEntries(): readonly Entry[] {
  const current = useCurrentPage()
  const navigate = useNavigate()
  const organizationId = current.organization?.id ?? 0
  const isEnabled = current.organization !== undefined
  const { data: projects = [] } = useLiveQuery(projectsQuery(organizationId), { isEnabled })
  const { data: overviews = [] } = useLiveQuery(overviewQuery(organizationId), { isEnabled })
  const { data: servers = [] } = useLiveQuery(serversQuery(organizationId), { isEnabled })
  const nameOf = new Map(projects.map(({ id, name }) => [id, name]))
  return [
    ...environmentEntries(current, navigate),
    ...overviews.flatMap((overview) => entriesOfProject(overview, nameOf.get(overview.project_id) ?? '', navigate)),
    ...projects.map(({ id, name, environments_used, environment_limit }) => ({
      id: `project-${id}`,
      group: 'Projects',
      name,
      detail: `${environments_used}/${environment_limit}`,
      choose: () => void navigate({ to: '/projects/$projectId', params: { projectId: id } }),
    })),
    ...servers.map(({ id, name, hostname }) => ({
      id: `server-${id}`,
      group: 'Servers',
      name,
      detail: hostname,
      choose: () => void navigate({ to: '/organizations/$organizationId/servers', params: { organizationId } }),
    })),
    ...pages(current, navigate),
    ...ownEntries(),
  ]
}

function entriesOfProject({ environments }: Overview, project: string, navigate: Navigate): readonly Entry[] {
  return environments.map(({ id, name, title, status }) => ({
    id: `environment-${id}`,
    group: 'Environments',
    name: `${project} / ${name}${title === '' ? '' : ` ${title}`}`,
    detail: environmentAppearance({ status }).label,
    choose: () => void navigate({ to: '/environments/$environmentId', params: { environmentId: id } }),
  }))
}

function environmentEntries(
  { me, organization, environment, project }: CurrentPage,
  navigate: Navigate,
): readonly Entry[] {
  if (environment === undefined) return []
  const params = { environmentId: environment.id }
  const group = 'This environment'
  const deploy = async (): Promise<void> => {
    try {
      const { id } = await client.startDeployment({ params: { id: environment.id } })
      await navigate({ to: '/environments/$environmentId/tasks/$taskId', params: { ...params, taskId: id } })
    } catch (error) {
      showToast(error instanceof Error ? error.message : 'The deployment could not be started', { isError: true })
    }
  }
  return [
    {
      id: 'deploy',
      group,
      name: `Deploy ${environment.name}`,
      disabledReason: whyNotDeploy({ me, organizationId: organization?.id }, environment),
      choose: () => void deploy(),
    },
    {
      id: 'open',
      group,
      name: `Open ${environment.domain}`,
      choose: () => void window.open(environment.url, '_blank', 'noreferrer'),
    },
    {
      id: 'variables',
      group,
      name: 'Variables',
      choose: () => void navigate({ to: '/environments/$environmentId/variables', params }),
    },
    {
      id: 'deployments',
      group,
      name: 'Deployments',
      choose: () => void navigate({ to: '/environments/$environmentId/deployments', params }),
    },
    {
      id: 'settings',
      group,
      name: 'Settings',
      choose: () => void navigate({ to: '/environments/$environmentId/settings', params }),
    },
    ...(project
      ? [
          {
            id: 'project-settings',
            group,
            name: `Settings of ${project.name}`,
            choose: () => void navigate({ to: '/projects/$projectId/settings', params: { projectId: project.id } }),
          },
        ]
      : []),
  ]
}

async function signOut(): Promise<void> {
  try {
    await client.signOut()
    startSession('/sign-in')
  } catch (error) {
    showToast(error instanceof Error ? error.message : 'Signing out failed', { isError: true })
  }
}

/** What belongs to the user and this browser. */
function ownEntries(): readonly Entry[] {
  const group = 'You'
  return [
    ...THEMES.map((theme) => ({
      id: `theme-${theme}`,
      group,
      name: `Theme: ${THEME_NAMES[theme].toLowerCase()}`,
      choose: () => chooseTheme(theme),
    })),
    { id: 'keys', group, name: 'Keyboard shortcuts', choose: () => keysAreShown.set(true) },
    { id: 'sign-out', group, name: 'Sign out', choose: () => void signOut() },
  ]
}

function pages({ me, organization }: CurrentPage, navigate: Navigate): readonly Entry[] {
  const group = 'Pages'
  const params = { organizationId: organization?.id ?? 0 }
  const ofOrganization: readonly Entry[] = [
    {
      id: 'new-project',
      group,
      name: 'New project',
      choose: () => void navigate({ to: '/organizations/$organizationId/projects/new', params }),
    },
    {
      id: 'servers',
      group,
      name: 'Servers',
      choose: () => void navigate({ to: '/organizations/$organizationId/servers', params }),
    },
    {
      id: 'members',
      group,
      name: 'Members',
      choose: () => void navigate({ to: '/organizations/$organizationId/members', params }),
    },
    {
      id: 'alerts',
      group,
      name: 'Alerts',
      choose: () => void navigate({ to: '/organizations/$organizationId/alerts', params }),
    },
    {
      id: 'audit',
      group,
      name: 'Audit log',
      choose: () => void navigate({ to: '/organizations/$organizationId/audit', params }),
    },
  ]
  return [
    ...(organization ? ofOrganization : []),
    { id: 'profile', group, name: 'Profile, tokens and sessions', choose: () => void navigate({ to: '/profile' }) },
    ...(me.is_platform_admin
      ? [
          { id: 'admin', group, name: 'Platform', choose: () => void navigate({ to: '/admin' }) },
          { id: 'admin-users', group, name: 'Users', choose: () => void navigate({ to: '/admin/users' }) },
          {
            id: 'admin-organizations',
            group,
            name: 'Organizations',
            choose: () => void navigate({ to: '/admin/organizations' }),
          },
        ]
      : []),
  ]
}
