// How long deployments usually take, as JSON.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { UsualDurations } from '../../domain/tasks/durations.ts'

export const presentDurations = (
  environmentId: number,
  { runs, durationMs, phases }: UsualDurations,
): RouteAnswer<Routes['getDurations']> => ({
  environment_id: environmentId,
  deployments: runs,
  duration_ms: durationMs,
  phases: phases.map((phase) => ({ name: phase.name, duration_ms: phase.durationMs })),
})
