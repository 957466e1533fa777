// The limits of a container: those of its compose file where they are lower than the platform's, else the platform's.
import type { ComposeLimits, ComposeService, JsonObject } from '@shipway/rules/compose/model'
import { objectOf } from '@shipway/rules/compose/policy/policy-rules'

/** Compose knows each limit by two names and refuses a file in which they differ, so both are set where `deploy` has limits. */
export function limitsFor({ limits: own, definition }: ComposeService, platform: ComposeLimits): JsonObject {
  const inDeploy = objectOf(objectOf(objectOf(definition.deploy).resources).limits)
  const cpus = lowered(own.cpus, platform.cpus)
  const memory = lowered(own.memoryBytes, platform.memoryBytes)
  const processes = lowered(own.processes, platform.processes)
  const deploy = {
    ...(cpus === null ? {} : { cpus: String(cpus) }),
    ...(memory === null ? {} : { memory: String(memory) }),
    ...(processes === null ? {} : { pids: processes }),
  }
  const isInDeploy = Object.keys(inDeploy).length > 0 && Object.keys(deploy).length > 0
  return {
    ...(cpus === null ? {} : { cpus }),
    ...(memory === null ? {} : { mem_limit: memory }),
    ...(processes === null ? {} : { pids_limit: processes }),
    ...(isInDeploy ? { deploy: { resources: { limits: deploy } } } : {}),
  }
}

/** The platform's limit where the file's is higher or absent; null where the file may stay as it is. */
function lowered(own: number | null, platform: number | null): number | null {
  return platform !== null && (own === null || own > platform) ? platform : null
}
