// The port that each routed service listens on inside its container.
import { imagePortFaults } from '@shipway/rules/service-file/route-ports'
import type { NamedService } from '../domain/service-domains.ts'
import { ChecksFailed } from '../domain/tasks/step-fault.ts'

/** As a file names it, else as the image exposes it. Throws where there is not exactly one. */
export function portsOfImages(
  services: readonly NamedService[],
  named: Readonly<Record<string, number>>,
  imagePorts: ReadonlyMap<string, readonly number[]>,
): ReadonlyMap<string, number> {
  const unsaid = services.flatMap(({ service: { name } }) => (Object.hasOwn(named, name) ? [] : [name]))
  const exposed = new Map(unsaid.map((name) => [name, imagePorts.get(name) ?? []]))
  const faults = imagePortFaults(exposed)
  if (faults.length > 0) throw ChecksFailed(faults.map(({ sentence }) => sentence))
  const found = [...exposed].flatMap(([name, [port]]) => (port === undefined ? [] : [[name, port] as const]))
  return new Map([...Object.entries(named), ...found])
}
