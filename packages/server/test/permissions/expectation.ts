// What the permission table says each caller gets: the only place in the tests that knows the rules.
import { isAtLeast, LEAST_ROLE, type RolePermission } from '@shipway/api/permissions'
import type { Route } from '@shipway/api/route'
import { type RouteName, routes } from '@shipway/api/routes'
import { type Caller, type PermissionTarget, roleOf } from './callers.ts'
import { namesRecord, publicAnswers } from './requests.ts'

export type Expected = { readonly status: number; readonly code?: string }

/** Only these change an environment, so only these ask whether it is protected. */
export const asksProtection = (name: RouteName): boolean =>
  [
    ...['updateEnvironment', 'deleteEnvironment', 'changeVariables', 'cancelTask'],
    ...['startDeployment', 'rollBackEnvironment', 'resetEnvironment', 'runAction', 'startRun', 'extendEnvironment'],
    'updateScale',
  ].includes(name)

export function expectedAnswer(
  name: RouteName,
  caller: Caller,
  target: PermissionTarget,
  isProtected: boolean,
): Expected {
  const route: Route = routes[name]
  if (name === 'getMetrics') return { status: caller === 'platform administrator' ? 200 : 404 }
  if (route.permission === 'public') return { status: publicAnswers[name] ?? route.success }
  if (caller === 'guest') return { status: 401, code: 'authentication_required' }
  // Everybody comes with a token here; sessions are asked about beside these routes.
  if (route.sessionOnly) return { status: 403, code: 'session_required' }
  if (name === 'readRemovedLogs') return { status: 410, code: 'endpoint_removed' }
  if (name === 'createOrganization' && caller !== 'platform administrator') return refused
  if (route.permission === 'signed_in') return { status: route.success }
  if (route.permission === 'platform_admin')
    return caller === 'platform administrator' ? { status: route.success } : refused
  const role = target === 'own' ? roleOf(caller) : undefined
  if (role === undefined && namesRecord(name)) return { status: 404, code: 'not_found' }
  if (role === undefined) return { status: route.success }
  if (route.permission === 'own_project') return caller === 'owner' ? { status: route.success } : refused
  if (!isRolePermission(route.permission)) throw new Error(`No rule for ${route.permission}`)
  if (!isAtLeast(role, LEAST_ROLE[route.permission])) return refused
  if (isProtected && asksProtection(name) && caller !== 'environment owner') {
    return { status: 403, code: 'environment_protected' }
  }
  // Its server is one machine.
  if (name === 'joinServer' || name === 'updateNode' || name === 'updateScale')
    return { status: 409, code: 'not_a_swarm' }
  // Its environments do not expire.
  if (name === 'extendEnvironment') return { status: 409, code: 'too_late' }
  if (isProtected && name === 'resetEnvironment') return { status: 409, code: 'environment_protected_fields' }
  return { status: route.success }
}

const refused = { status: 403, code: 'insufficient_role' }

const isRolePermission = (permission: string): permission is RolePermission => Object.hasOwn(LEAST_ROLE, permission)
