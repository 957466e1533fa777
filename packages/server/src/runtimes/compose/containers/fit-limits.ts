// Fits limits to a server: Docker starts no container that may use more processors than there are.

import type { ComposeLimits } from '@shipway/rules/compose/model'
import { countProcessors } from '../../../commands/docker/engine.ts'
import { readReportedNumber } from '../../../domain/reported-number.ts'
import { askDocker } from '../../../remote/ask-docker.ts'
import type { Host } from '../../../remote/host.ts'

export async function fitLimits(host: Host, limits: ComposeLimits): Promise<ComposeLimits> {
  if (limits.cpus === null) return limits
  const present = readReportedNumber((await askDocker(host, countProcessors())).trim())
  return { ...limits, cpus: present ? Math.min(limits.cpus, present) : limits.cpus }
}
