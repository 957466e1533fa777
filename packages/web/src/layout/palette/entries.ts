// Everything that the palette can lead to or do: what belongs to this page first, then environments, projects, servers and settings.
import type { Overview } from '@shipway/api'
import { useNavigate } from '@tanstack/react-router'
import { tell } from '../../components/toast.tsx'
import { client } from '../../data/client.ts'
import { deployLock } from '../../data/disabled-reasons.ts'
import { useTold } from '../../data/live-query.ts'
import { overviewQuery, projectsQuery, serversQuery } from '../../data/queries.ts'
import { environmentShown } from '../../status/appearance.ts'
import { type Here, useHere } from '../current-page.ts'
import type { Entry } from './find-entries.ts'

type Go = ReturnType<typeof useNavigate>

export function useEntries(): readonly Entry[] {
  const here = useHere()
  const go = useNavigate()
  const organizationId = here.organization?.id ?? 0
  const isAsked = here.organization !== undefined
  const { data: projects = [] } = useTold(projectsQuery(organizationId), { isAsked })
  const { data: overviews = [] } = useTold(overviewQuery(organizationId), { isAsked })
  const { data: servers = [] } = useTold(serversQuery(organizationId), { isAsked })
  const nameOf = new Map(projects.map(({ id, name }) => [id, name]))
  return [
    ...actsHere(here, go),
    ...overviews.flatMap((overview) => environmentEntries(overview, nameOf.get(overview.project_id) ?? '', go)),
    ...projects.map(({ id, name, environments_used, environment_limit }) => ({
      id: `project-${id}`,
      group: 'Projects',
      name,
      detail: `${environments_used}/${environment_limit}`,
      choose: () => void go({ to: '/projects/$projectId', params: { projectId: id } }),
    })),
    ...servers.map(({ id, name, hostname }) => ({
      id: `server-${id}`,
      group: 'Servers',
      name,
      detail: hostname,
      choose: () => void go({ to: '/organizations/$organizationId/servers', params: { organizationId } }),
    })),
    ...pages(here, go),
  ]
}

function environmentEntries({ environments }: Overview, project: string, go: Go): readonly Entry[] {
  return environments.map(({ id, name, status }) => ({
    id: `environment-${id}`,
    group: 'Environments',
    name: `${project} / ${name}`,
    detail: environmentShown({ status }).word,
    choose: () => void go({ to: '/environments/$environmentId', params: { environmentId: id } }),
  }))
}

function actsHere({ me, organization, environment, project }: Here, go: Go): readonly Entry[] {
  if (environment === undefined) return []
  const params = { environmentId: environment.id }
  const group = 'This environment'
  const deploy = async (): Promise<void> => {
    try {
      const { id } = await client.startDeployment({ params: { id: environment.id } })
      await go({ to: '/environments/$environmentId/tasks/$taskId', params: { ...params, taskId: id } })
    } catch (error) {
      tell(error instanceof Error ? error.message : 'It could not be deployed', { isBad: true })
    }
  }
  return [
    {
      id: 'deploy',
      group,
      name: `Deploy ${environment.name}`,
      lockedBecause: deployLock({ me, organizationId: organization?.id }, environment),
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
      choose: () => void go({ to: '/environments/$environmentId/variables', params }),
    },
    {
      id: 'deployments',
      group,
      name: 'Deployments',
      choose: () => void go({ to: '/environments/$environmentId/deployments', params }),
    },
    {
      id: 'settings',
      group,
      name: 'Settings',
      choose: () => void go({ to: '/environments/$environmentId/settings', params }),
    },
    ...(project
      ? [
          {
            id: 'project-settings',
            group,
            name: `Settings of ${project.name}`,
            choose: () => void go({ to: '/projects/$projectId/settings', params: { projectId: project.id } }),
          },
        ]
      : []),
  ]
}

function pages({ me, organization }: Here, go: Go): readonly Entry[] {
  const group = 'Pages'
  const params = { organizationId: organization?.id ?? 0 }
  const ofOrganization: readonly Entry[] = [
    {
      id: 'new-project',
      group,
      name: 'New project',
      choose: () => void go({ to: '/organizations/$organizationId/projects/new', params }),
    },
    {
      id: 'servers',
      group,
      name: 'Servers',
      choose: () => void go({ to: '/organizations/$organizationId/servers', params }),
    },
    {
      id: 'members',
      group,
      name: 'Members',
      choose: () => void go({ to: '/organizations/$organizationId/members', params }),
    },
    {
      id: 'audit',
      group,
      name: 'Audit log',
      choose: () => void go({ to: '/organizations/$organizationId/audit', params }),
    },
  ]
  return [
    ...(organization ? ofOrganization : []),
    { id: 'profile', group, name: 'Profile, tokens and sessions', choose: () => void go({ to: '/profile' }) },
    ...(me.is_platform_admin
      ? [{ id: 'admin', group, name: 'Platform', choose: () => void go({ to: '/admin' }) }]
      : []),
  ]
}
