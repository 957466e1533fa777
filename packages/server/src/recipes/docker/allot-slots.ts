// The ports that containers publish on: seen to be free on the server, or in use by containers of this environment alone.
import { type Deployment, replacedSentence, type SlotPort } from '../deployment.ts'
import type { StepIo } from '../run.ts'
import { findUsedPorts } from '../used-ports.ts'

type Allotting = Pick<Deployment, 'ids' | 'allotSlots'>

export async function allotSlots(
  { host, say }: Pick<StepIo, 'host' | 'say'>,
  deployment: Allotting,
  services: readonly string[],
): Promise<readonly SlotPort[]> {
  const { inUse, own } = await findUsedPorts(host, deployment.ids)
  const ports = await deployment.allotSlots(services, {
    inUse,
    foreign: new Set([...inUse].filter((port) => !own.has(port))),
  })
  for (const port of ports.filter(({ insteadOf }) => insteadOf !== undefined)) say(replacedSentence(port))
  return ports
}

type TakenPorts = {
  readonly services: readonly { readonly name: string; readonly port: number | null }[]
  said: string
}

/**
 * A port can be taken between the look and the start, and by what no look can see. Gives the services whose port Docker could not
 * have, each of which has another one from then on.
 */
export async function replaceTaken(
  io: Pick<StepIo, 'host' | 'say'>,
  deployment: Allotting,
  { services, said }: TakenPorts,
): Promise<readonly string[]> {
  if (!/address already in use|port is already allocated/.test(said)) return []
  const taken = services.filter(({ port }) => port !== null && new RegExp(`127\\.0\\.0\\.1:${port}\\b`).test(said))
  const ports = new Set(taken.flatMap(({ port }) => port ?? []))
  const { inUse } = await findUsedPorts(io.host, deployment.ids)
  const names = taken.map(({ name }) => name)
  const replaced = await deployment.allotSlots(names, { inUse: new Set([...inUse, ...ports]), foreign: ports })
  for (const port of replaced.filter(({ insteadOf }) => insteadOf !== undefined)) io.say(replacedSentence(port))
  return names
}
