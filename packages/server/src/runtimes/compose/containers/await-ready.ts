// Waits until the new container of a service may get requests, and says why it may not.

import { dockerScript } from '../../../commands/docker/script.ts'
import type { Deployment } from '../../../deployment/deployment.ts'
import type { StepIo } from '../../../deployment/run.ts'
import { withReason } from '../../../deployment/with-reason.ts'
import type { ServiceStart } from '../service-start.ts'
import { findEnd } from './container-end.ts'
import { whyNotReady } from './why-not-ready.ts'

type ReadinessCheck = {
  readonly service: ServiceStart
  /** Undefined where it is not routed. */
  readonly domain: string | undefined
  readonly folder: string
  /** Its name, if this run started it. */
  readonly container: string | undefined
}

export async function awaitReady(
  io: StepIo,
  deployment: Deployment,
  { service, domain = '127.0.0.1', folder, container: started }: ReadinessCheck,
): Promise<void> {
  const { ids, taskId, readySeconds: seconds } = deployment
  const { name, gate, port, containerPort, health } = service
  const words = [ids.installationId, String(ids.environmentId), String(taskId), name]
  // The port inside matters only for a routed service.
  const inside = port === null ? 0 : (containerPort ?? 0)
  const gated = [gate, String(port ?? 0), health, domain]
  if (started !== undefined) {
    const asked = gate === 'http' || gate === 'port' ? await answersAtOnce(io, [started, ...gated]) : 'unknown'
    // A container that answers needs no inspection.
    const checkedInside = gate === 'http' || gate === 'port' ? 0 : inside
    const moment = [...words, ...gated, String(MOMENT_SECONDS), String(checkedInside), started]
    if (asked === 'ready' || (asked === 'unknown' && (await isReadyAtOnce(io, moment)))) {
      io.say('It is ready')
      return
    }
  }
  const run = dockerScript('wait-until-ready', ...words, ...gated, String(seconds), String(inside))
  const work = { run, folder, timeoutMs: (seconds + 60) * 1000 }
  await withReason(io, work, {
    from: 'start',
    faultOf: async ({ exitCode, said }) => {
      const container = await findEnd(io.host, deployment, name)
      return whyNotReady(service, { exitCode, said, seconds, container })
    },
  })
}

/** Most containers are ready sooner than durable work can start. Any other result is left to the durable wait, which reports it. */
async function answersAtOnce(
  { host, signal }: StepIo,
  words: readonly string[],
): Promise<'ready' | 'not ready' | 'unknown'> {
  const { exitCode } = await host.run(dockerScript('answers-at-once', ...words), { signal, onOutput: () => undefined })
  if (exitCode === CANNOT_ASK) return 'unknown'
  return exitCode === 0 ? 'ready' : 'not ready'
}

const CANNOT_ASK = 3

/** The same check through docker, also for services without a port. */
async function isReadyAtOnce({ host, signal }: StepIo, words: readonly string[]): Promise<boolean> {
  const check = dockerScript('wait-until-ready', ...words)
  const { exitCode } = await host.run(check, { signal, onOutput: () => undefined })
  return exitCode === 0
}

const MOMENT_SECONDS = 2
