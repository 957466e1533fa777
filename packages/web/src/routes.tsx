// All routes. Pages are loaded on demand.
import { ApiError, MetricsRange, TaskKind, TaskStatus } from '@shipway/api'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from '@tanstack/react-router'
import { cache } from './data/cache.ts'
import { meQuery } from './data/queries.ts'
import { lastOrganization } from './layout/last-organization.ts'
import { Layout } from './layout/layout.tsx'
import { OrganizationOutlet } from './layout/organization-outlet.tsx'
import { PageFailed, PageNotFound } from './layout/page-failed.tsx'
import { type LogSearchParams, RANGES, type Range } from './pages/environment/logs/log-range.ts'

const root = createRootRoute({ notFoundComponent: PageNotFound, errorComponent: PageFailed })

/** Public pages: sign-in, setup, invitations. */
const auth = createRoute({ getParentRoute: () => root, id: 'auth' })
const authPages = () => import('./pages/auth/auth-pages.ts')
const setUp = createRoute({
  getParentRoute: () => auth,
  path: '/setup',
  component: lazyRouteComponent(authPages, 'SetUpPage'),
})
const signIn = createRoute({
  getParentRoute: () => auth,
  path: '/sign-in',
  validateSearch: (search): { next?: string } => textOf(search, 'next'),
  component: lazyRouteComponent(authPages, 'SignInPage'),
})
const provider = createRoute({
  getParentRoute: () => auth,
  path: '/sign-in/provider',
  component: lazyRouteComponent(authPages, 'ProviderPage'),
})
const passwordReset = createRoute({
  getParentRoute: () => auth,
  path: '/password-reset',
  component: lazyRouteComponent(authPages, 'PasswordResetPage'),
})
const invitation = createRoute({
  getParentRoute: () => auth,
  path: '/invitation',
  component: lazyRouteComponent(authPages, 'InvitationPage'),
})
const device = createRoute({
  getParentRoute: () => auth,
  path: '/device',
  validateSearch: (search): { user_code?: string } => textOf(search, 'user_code'),
  beforeLoad: requireSignIn,
  component: lazyRouteComponent(authPages, 'DevicePage'),
})

/** GitHub sends people back here. */
const githubApp = createRoute({
  getParentRoute: () => auth,
  path: '/connections/$connectionId/github-app',
  params: idParam('connectionId'),
  beforeLoad: requireSignIn,
  component: lazyRouteComponent(() => import('./pages/auth/github-app-page.tsx'), 'GitHubAppPage'),
})

/** Everything else requires a session and has the layout around it. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: requireSignIn,
  component: Layout,
})

const projectsPage = lazyRouteComponent(() => import('./pages/projects/projects-page.tsx'), 'ProjectsPage')

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  // Preloads the page that the redirect usually leads to.
  component: projectsPage,
  beforeLoad: async () => {
    const { organizations, needs_two_factor: needed } = await cache.ensureQueryData(meQuery)
    const organization = organizations.find(({ id }) => id === lastOrganization()) ?? organizations[0]
    if (organization === undefined) {
      // The layout shows what is required, in place of the page.
      if (needed !== null) return
      throw redirect({ to: '/profile', replace: true })
    }
    throw redirect({ to: '/organizations/$organizationId', params: { organizationId: organization.id }, replace: true })
  },
})

const organization = createRoute({
  getParentRoute: () => signedIn,
  path: '/organizations/$organizationId',
  params: idParam('organizationId'),
  component: OrganizationOutlet,
})
const projects = createRoute({
  getParentRoute: () => organization,
  path: '/',
  component: projectsPage,
})
const newProject = createRoute({
  getParentRoute: () => organization,
  path: '/projects/new',
  component: lazyRouteComponent(() => import('./pages/projects/new-project-page.tsx'), 'NewProjectPage'),
})
const servers = createRoute({
  getParentRoute: () => organization,
  path: '/servers',
  component: lazyRouteComponent(() => import('./pages/servers/servers-page.tsx'), 'ServersPage'),
})
const people = createRoute({
  getParentRoute: () => organization,
  path: '/members',
  component: lazyRouteComponent(() => import('./pages/organization/members-page.tsx'), 'MembersPage'),
})
const alerts = createRoute({
  getParentRoute: () => organization,
  path: '/alerts',
  component: lazyRouteComponent(() => import('./pages/organization/alerts/alerts-page.tsx'), 'AlertsPage'),
})
const connections = createRoute({
  getParentRoute: () => organization,
  path: '/connections',
  component: lazyRouteComponent(
    () => import('./pages/organization/connections/connections-page.tsx'),
    'ConnectionsPage',
  ),
})
const audit = createRoute({
  getParentRoute: () => organization,
  path: '/audit',
  component: lazyRouteComponent(() => import('./pages/organization/audit-page.tsx'), 'AuditPage'),
})
const organizationSettings = createRoute({
  getParentRoute: () => organization,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/organization/settings-page.tsx'), 'OrganizationSettingsPage'),
})

const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId',
  params: idParam('projectId'),
  component: lazyRouteComponent(() => import('./pages/project/project-page.tsx'), 'ProjectPage'),
})
const environments = createRoute({
  getParentRoute: () => project,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/project/environments-tab.tsx'), 'EnvironmentsTab'),
})
const connect = createRoute({
  getParentRoute: () => project,
  path: '/connect',
  component: lazyRouteComponent(() => import('./pages/project/connect/connect-tab.tsx'), 'ConnectTab'),
})
const deliveries = createRoute({
  getParentRoute: () => project,
  path: '/deliveries',
  component: lazyRouteComponent(() => import('./pages/project/deliveries-tab.tsx'), 'DeliveriesTab'),
})
const projectVariables = createRoute({
  getParentRoute: () => project,
  path: '/variables',
  component: lazyRouteComponent(() => import('./pages/project/variables-tab.tsx'), 'ProjectVariablesTab'),
})
const projectMembers = createRoute({
  getParentRoute: () => project,
  path: '/members',
  component: lazyRouteComponent(() => import('./pages/project/members-tab.tsx'), 'MembersTab'),
})
const projectSettings = createRoute({
  getParentRoute: () => project,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/project/settings-tab.tsx'), 'ProjectSettingsTab'),
})

/** Parent of an environment's page and of its tasks' pages. */
const environmentBase = createRoute({
  getParentRoute: () => signedIn,
  path: '/environments/$environmentId',
  params: idParam('environmentId'),
})
const environment = createRoute({
  getParentRoute: () => environmentBase,
  id: 'environment',
  component: lazyRouteComponent(() => import('./pages/environment/environment-page.tsx'), 'EnvironmentPage'),
})
const overview = createRoute({
  getParentRoute: () => environment,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/environment/overview-tab.tsx'), 'OverviewTab'),
})
const deployments = createRoute({
  getParentRoute: () => environment,
  path: '/deployments',
  validateSearch: ({ status, kind }): { status?: TaskStatus; kind?: TaskKind } => {
    const known = { status: TaskStatus.safeParse(status).data, kind: TaskKind.safeParse(kind).data }
    return { ...(known.status && { status: known.status }), ...(known.kind && { kind: known.kind }) }
  },
  component: lazyRouteComponent(() => import('./pages/environment/deployments-tab.tsx'), 'DeploymentsTab'),
})
const logs = createRoute({
  getParentRoute: () => environment,
  path: '/logs',
  validateSearch: (search): LogSearchParams => ({
    ...(RANGES.some((range) => range === search.range) && { range: search.range as Range }),
    ...textOf(search, 'since'),
    ...textOf(search, 'until'),
    ...textOf(search, 'services'),
    ...textOf(search, 'at'),
  }),
  component: lazyRouteComponent(() => import('./pages/environment/logs/logs-tab.tsx'), 'LogsTab'),
})
const metrics = createRoute({
  getParentRoute: () => environment,
  path: '/metrics',
  validateSearch: ({ range }): { range?: MetricsRange } => {
    const known = MetricsRange.safeParse(range).data
    return known === undefined || known === '2h' ? {} : { range: known }
  },
  component: lazyRouteComponent(() => import('./pages/environment/metrics/metrics-tab.tsx'), 'MetricsTab'),
})
const actions = createRoute({
  getParentRoute: () => environment,
  path: '/actions',
  component: lazyRouteComponent(() => import('./pages/environment/actions/actions-tab.tsx'), 'ActionsTab'),
})
const variables = createRoute({
  getParentRoute: () => environment,
  path: '/variables',
  component: lazyRouteComponent(() => import('./pages/environment/variables-tab.tsx'), 'EnvironmentVariablesTab'),
})
const environmentSettings = createRoute({
  getParentRoute: () => environment,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/environment/settings-tab.tsx'), 'EnvironmentSettingsTab'),
})
const task = createRoute({
  getParentRoute: () => environmentBase,
  path: '/tasks/$taskId',
  params: idParam('taskId'),
  validateSearch: (search): { step?: string } => textOf(search, 'step'),
  component: lazyRouteComponent(() => import('./pages/task/task-page.tsx'), 'TaskPage'),
})

const profile = createRoute({
  getParentRoute: () => signedIn,
  path: '/profile',
  component: lazyRouteComponent(() => import('./pages/profile/profile-page.tsx'), 'ProfilePage'),
})
const admin = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin',
  component: lazyRouteComponent(() => import('./pages/admin/admin-page.tsx'), 'AdminPage'),
})

const adminUsers = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin/users',
  component: lazyRouteComponent(() => import('./pages/admin/users-page.tsx'), 'UsersPage'),
})
const adminOrganizations = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin/organizations',
  component: lazyRouteComponent(() => import('./pages/admin/organizations-page.tsx'), 'OrganizationsPage'),
})

const tree = root.addChildren([
  auth.addChildren([setUp, signIn, provider, passwordReset, invitation, device, githubApp]),
  signedIn.addChildren([
    home,
    organization.addChildren([projects, newProject, servers, people, alerts, connections, audit, organizationSettings]),
    project.addChildren([environments, connect, deliveries, projectVariables, projectMembers, projectSettings]),
    environmentBase.addChildren([
      environment.addChildren([overview, deployments, logs, metrics, actions, variables, environmentSettings]),
      task,
    ]),
    profile,
    admin,
    adminUsers,
    adminOrganizations,
  ]),
])

export const router = createRouter({
  routeTree: tree,
  defaultPreload: 'intent',
  // The output scrolls to the line of its hash by itself.
  scrollRestoration: ({ location }) => !/^L\d/.test(location.hash),
  // Pages render their own pending state; the router's would replace the layout.
  defaultPendingMs: 1_000,
  defaultErrorComponent: PageFailed,
  defaultNotFoundComponent: PageNotFound,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

async function requireSignIn({ location }: { readonly location: { readonly href: string } }): Promise<void> {
  try {
    await cache.ensureQueryData(meQuery)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href } })
  }
}

/** Ids are positive integers; anything else is not found. */
function idParam<const Name extends string>(name: Name) {
  return {
    parse: (params: Record<Name, string>) => {
      const text = params[name]
      if (!/^[1-9][0-9]{0,15}$/.test(text)) throw notFound()
      return { [name]: Number(text) } as Record<Name, number>
    },
    stringify: (params: Record<Name, number>) => ({ [name]: String(params[name]) }) as Record<Name, string>,
  }
}

function textOf<const Name extends string>(search: Record<string, unknown>, name: Name): { [Key in Name]?: string } {
  const text = search[name]
  return typeof text === 'string' || typeof text === 'number'
    ? ({ [name]: String(text) } as { [Key in Name]: string })
    : {}
}
