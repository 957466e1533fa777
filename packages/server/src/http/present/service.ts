// A service of an environment as JSON: the state that it was last seen in.
import type { ServiceOutput } from '@shipway/api/oversight/service-states'
import type { ServiceRecord, ServiceWithOutput } from '../../store/environments/services.ts'
import { presentTime } from './time.ts'

export const presentService = (service: ServiceWithOutput): ServiceOutput => ({
  name: service.name,
  routed: service.isRouted,
  ...presentState(service),
  last_lines: service.lastLines,
})

export const presentState = (service: ServiceRecord) => ({
  state: service.state,
  state_since: presentTime(service.since),
  restarts: service.restarts,
  exit_code: service.exitCode,
})
