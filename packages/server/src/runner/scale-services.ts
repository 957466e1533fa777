// Gives services of an environment another number of containers while a user waits.
import type { Context, ScaleOrder } from '../context.ts'
import { InvalidField, ServerNotReached } from '../domain/errors.ts'
import { StepFault } from '../domain/tasks/step-fault.ts'
import { ServerUnreachable } from '../remote/host.ts'
import type { Hosts } from '../remote/hosts.ts'
import { withinDeadline } from '../remote/within-deadline.ts'
import type { Runtime } from '../runtimes/runtime.ts'
import { runtimeOf } from '../runtimes/runtimes.ts'

/** The number is set within it; the containers may start later. */
const TIMEOUT_MS = 30_000

/** Throws ServerNotReached, ServerTimeout, and InvalidField where a service cannot have the number. */
export async function scaleServices(
  { installationId }: Pick<Context, 'installationId'>,
  hosts: Pick<Hosts, 'of'>,
  { server, environmentId, work, ...scaling }: ScaleOrder,
): Promise<void> {
  const host = hosts.of(server)
  const runtime = runtimeOf(server)
  try {
    await withinDeadline(host, TIMEOUT_MS, () =>
      METHODS[work](runtime)(host, { owner: { installationId, environmentId }, ...scaling }),
    )
  } catch (error) {
    if (error instanceof ServerUnreachable) throw ServerNotReached(error.stage, error.message)
    if (error instanceof StepFault) throw InvalidField('/services', 'cannot_scale', error.message)
    throw error
  }
}

const METHODS: Readonly<Record<ScaleOrder['work'], (runtime: Runtime) => Runtime['scale']>> = {
  check: ({ checkScale }) => checkScale,
  apply: ({ scale }) => scale,
}
