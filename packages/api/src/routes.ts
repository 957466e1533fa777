// The whole contract: every route by its name.
import { aboutRoutes } from './about.ts'
import { actionRoutes } from './actions.ts'
import { certificateRoutes } from './certificates.ts'
import { channelRoutes } from './channels.ts'
import { connectionRoutes } from './connections.ts'
import { deviceRequestRoutes } from './device-requests.ts'
import { environmentRoutes } from './environments.ts'
import { eventRoutes } from './events.ts'
import { githubAppRoutes } from './github-app.ts'
import { grantRoutes } from './grants.ts'
import { hookRoutes } from './hooks.ts'
import { liveRoutes } from './live.ts'
import { organizationRoutes } from './organizations.ts'
import { alertRoutes } from './oversight/alerts.ts'
import { auditRoutes } from './oversight/audit.ts'
import { metricsRoutes } from './oversight/metrics.ts'
import { removedEnvironmentRoutes } from './oversight/removed-environments.ts'
import { serverHealthRoutes } from './oversight/server-health.ts'
import { serviceStateRoutes } from './oversight/service-states.ts'
import { watchRoutes } from './oversight/watches.ts'
import { overviewRoutes } from './overviews.ts'
import { peopleRoutes } from './people.ts'
import { projectRoutes } from './projects.ts'
import { repositoryCheckRoutes } from './repository-check.ts'
import { runRoutes } from './runs.ts'
import { serverRoutes } from './servers.ts'
import { sessionRoutes } from './sessions.ts'
import { accountRoutes } from './sign-in/accounts.ts'
import { providerSignInRoutes } from './sign-in/provider-sign-in.ts'
import { secondFactorRoutes } from './sign-in/second-factor.ts'
import { sshAccessRoutes } from './ssh-access.ts'
import { swarmRoutes } from './swarm.ts'
import { taskRoutes } from './tasks.ts'
import { uploadRoutes } from './uploads.ts'
import { variableRoutes } from './variables.ts'

export const routes = {
  ...peopleRoutes,
  ...sessionRoutes,
  ...secondFactorRoutes,
  ...accountRoutes,
  ...providerSignInRoutes,
  ...deviceRequestRoutes,
  ...organizationRoutes,
  ...auditRoutes,
  ...serverRoutes,
  ...serverHealthRoutes,
  ...swarmRoutes,
  ...sshAccessRoutes,
  ...projectRoutes,
  ...overviewRoutes,
  ...repositoryCheckRoutes,
  ...certificateRoutes,
  ...environmentRoutes,
  ...uploadRoutes,
  ...grantRoutes,
  ...removedEnvironmentRoutes,
  ...serviceStateRoutes,
  ...watchRoutes,
  ...metricsRoutes,
  ...taskRoutes,
  ...variableRoutes,
  ...actionRoutes,
  ...runRoutes,
  ...eventRoutes,
  ...hookRoutes,
  ...alertRoutes,
  ...channelRoutes,
  ...connectionRoutes,
  ...githubAppRoutes,
  ...liveRoutes,
  ...aboutRoutes,
}

export type Routes = typeof routes
export type RouteName = keyof Routes
