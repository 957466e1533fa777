// What was granted to an environment as JSON: every capability, granted or not.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import { CAPABILITIES, isCapability } from '@shipway/rules/compose/policy/capabilities'
import type { Grant } from '../../store/credentials/grants.ts'
import { presentTime } from './time.ts'

export function presentGrants(grants: readonly Grant[]): RouteAnswer<Routes['listGrants']> {
  return Object.keys(CAPABILITIES)
    .filter(isCapability)
    .map((capability) => {
      const grant = grants.find((other) => other.capability === capability)
      const by = grant?.grantedBy ?? null
      return {
        capability,
        description: CAPABILITIES[capability],
        granted: grant !== undefined,
        granted_by: by && { id: by.id, name: by.name },
        granted_at: presentTime(grant?.grantedAt ?? null),
      }
    })
}
