// Every screen of the dashboard by name, for the gallery and the screen tests.
import type { SampleData } from './sample-data.ts'

export type Screen = { readonly name: string; readonly path: string; readonly isOpenToAll?: boolean }

export function screensOf({
  organizationId,
  projectId,
  environments,
  failedTask,
  runningTask,
  goodTask,
  actionTask,
}: SampleData): readonly Screen[] {
  const organization = `/organizations/${organizationId}`
  const project = `/projects/${projectId}`
  const { staging, moving, broken, fresh } = environments
  return [
    { name: 'sign-in', path: '/sign-in', isOpenToAll: true },
    { name: 'password-reset', path: '/password-reset', isOpenToAll: true },
    { name: 'set-up-done', path: '/setup', isOpenToAll: true },
    { name: 'device', path: '/device' },
    { name: 'projects', path: organization },
    { name: 'new-project', path: `${organization}/projects/new` },
    { name: 'servers', path: `${organization}/servers` },
    { name: 'members', path: `${organization}/members` },
    { name: 'alerts', path: `${organization}/alerts` },
    { name: 'connections', path: `${organization}/connections` },
    { name: 'audit', path: `${organization}/audit` },
    { name: 'organization-settings', path: `${organization}/settings` },
    { name: 'project', path: project },
    { name: 'connect', path: `${project}/connect` },
    { name: 'deliveries', path: `${project}/deliveries` },
    { name: 'project-variables', path: `${project}/variables` },
    { name: 'project-members', path: `${project}/members` },
    { name: 'project-settings', path: `${project}/settings` },
    { name: 'environment', path: `/environments/${staging}` },
    { name: 'environment-new', path: `/environments/${fresh}` },
    { name: 'environment-failed', path: `/environments/${broken}` },
    { name: 'deployments', path: `/environments/${staging}/deployments` },
    { name: 'logs', path: `/environments/${staging}/logs` },
    { name: 'metrics', path: `/environments/${staging}/metrics` },
    { name: 'metrics-new', path: `/environments/${fresh}/metrics` },
    { name: 'actions', path: `/environments/${staging}/actions` },
    { name: 'variables', path: `/environments/${staging}/variables` },
    { name: 'environment-settings', path: `/environments/${staging}/settings` },
    { name: 'task', path: `/environments/${staging}/tasks/${goodTask}` },
    { name: 'task-action', path: `/environments/${staging}/tasks/${actionTask}` },
    { name: 'task-failed', path: `/environments/${broken}/tasks/${failedTask}` },
    { name: 'task-running', path: `/environments/${moving}/tasks/${runningTask}` },
    { name: 'profile', path: '/profile' },
    { name: 'platform', path: '/admin' },
    { name: 'platform-users', path: '/admin/users' },
    { name: 'platform-organizations', path: '/admin/organizations' },
  ]
}
