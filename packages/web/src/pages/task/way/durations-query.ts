// How long deployments of an environment usually take.
import type { Durations } from '@shipway/api'
import { client } from '../../../data/client.ts'
import { keys } from '../../../data/keys.ts'
import type { Told } from '../../../data/live-query.ts'

export const durationsQuery = (environmentId: number): Told<Durations> => ({
  topic: `environment:${environmentId}`,
  key: keys.durations(environmentId),
  read: (signal) => client.getDurations({ params: { id: environmentId }, signal }),
})
