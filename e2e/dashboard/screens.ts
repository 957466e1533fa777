// Every screen of the dashboard by name, for the gallery and the screen tests.
import type { Page } from 'playwright-core'
import type { SampleData } from './sample-data.ts'

export type Screen = {
  readonly name: string
  readonly path: string
  readonly isOpenToAll?: boolean
  /** What a user does there first. */
  readonly act?: (page: Page) => Promise<void>
}

export function screensOf({
  organizationId,
  projectId,
  environments,
  failedTask,
  runningTask,
  goodTask,
  actionTask,
  commandTask,
}: SampleData): readonly Screen[] {
  const organization = `/organizations/${organizationId}`
  const project = `/projects/${projectId}`
  const { staging, moving, broken, fresh, waiting, upload, scaled } = environments
  return [
    { name: 'sign-in', path: '/sign-in', isOpenToAll: true },
    { name: 'password-reset', path: '/password-reset', isOpenToAll: true },
    { name: 'set-up-done', path: '/setup', isOpenToAll: true },
    { name: 'device', path: '/device' },
    { name: 'projects', path: organization },
    { name: 'new-project', path: `${organization}/projects/new` },
    { name: 'servers', path: `${organization}/servers` },
    { name: 'swarm', path: `${organization}/servers`, act: (page) => openDetails(page, 'harbor') },
    { name: 'members', path: `${organization}/members` },
    { name: 'alerts', path: `${organization}/alerts` },
    { name: 'connections', path: `${organization}/connections` },
    { name: 'audit', path: `${organization}/audit` },
    { name: 'organization-settings', path: `${organization}/settings` },
    { name: 'project', path: project },
    { name: 'connect', path: `${project}/connect`, act: waitForChecks },
    { name: 'deliveries', path: `${project}/deliveries` },
    { name: 'project-variables', path: `${project}/variables` },
    { name: 'project-members', path: `${project}/members` },
    { name: 'project-settings', path: `${project}/settings` },
    { name: 'environment', path: `/environments/${staging}` },
    { name: 'environment-new', path: `/environments/${fresh}` },
    { name: 'environment-failed', path: `/environments/${broken}` },
    { name: 'environment-waiting', path: `/environments/${waiting}` },
    { name: 'environment-upload', path: `/environments/${upload}` },
    { name: 'deployments', path: `/environments/${staging}/deployments` },
    { name: 'logs', path: `/environments/${staging}/logs` },
    { name: 'metrics', path: `/environments/${staging}/metrics` },
    { name: 'metrics-new', path: `/environments/${fresh}/metrics` },
    { name: 'actions', path: `/environments/${staging}/actions` },
    { name: 'variables', path: `/environments/${staging}/variables` },
    { name: 'environment-settings', path: `/environments/${staging}/settings` },
    { name: 'environment-scale', path: `/environments/${scaled}/settings` },
    { name: 'task', path: `/environments/${staging}/tasks/${goodTask}` },
    { name: 'task-action', path: `/environments/${staging}/tasks/${actionTask}` },
    { name: 'task-command', path: `/environments/${staging}/tasks/${commandTask}` },
    { name: 'task-failed', path: `/environments/${broken}/tasks/${failedTask}` },
    { name: 'task-running', path: `/environments/${moving}/tasks/${runningTask}` },
    { name: 'profile', path: '/profile' },
    { name: 'platform', path: '/admin' },
    { name: 'platform-users', path: '/admin/users' },
    { name: 'platform-organizations', path: '/admin/organizations' },
  ]
}

async function openDetails(page: Page, server: string): Promise<void> {
  await page.getByRole('article', { name: server }).getByRole('button', { name: 'Details' }).click()
}

async function waitForChecks(page: Page): Promise<void> {
  await page.getByText('Checking', { exact: true }).first().waitFor({ state: 'detached' })
}
