// Prepares another attempt to start services after another program took a port of theirs: removes the containers that could not start,
// and writes the compose file again with new ports. The earlier file stays, so that this may be repeated.
import { hash } from 'node:crypto'
import { composeJson } from '@shipway/rules/compose/escaped-dollars'
import type { JsonObject } from '@shipway/rules/compose/model'
import { objectOf } from '@shipway/rules/compose/policy/policy-rules'
import type { Deployment } from '../../../deployment/deployment.ts'
import type { Folders } from '../../../deployment/folders.ts'
import type { StepIo } from '../../../deployment/run.ts'
import { LOOPBACK } from '../../../domain/loopback.ts'
import { CheckFailed } from '../../../domain/tasks/step-fault.ts'
import type { Host } from '../../../remote/host.ts'
import { writeSecretFile } from '../../../remote/write-secret-file.ts'
import { Secret } from '../../../secrets/secret.ts'
import type { TakenPort } from '../ports/allocate-slots.ts'
import { listContainers } from './list-containers.ts'
import { retireContainers } from './remove.ts'

/** The present ports of the services of a plan, and their compose file. A step hands it on as plain JSON. */
export type Published = {
  /** How often ports were replaced. */
  readonly times: number
  /** Of the compose file, with the list of what it mounts. */
  readonly digest: string
  /** Ports of the server that replace those of the plan, by service. */
  readonly ports: Readonly<Record<string, number>>
}

type FailedStart = { readonly deployment: Deployment; readonly folders: Folders; readonly published: Published }

export async function publishElsewhere(
  { host, say }: Pick<StepIo, 'host' | 'say'>,
  { deployment: { ids, taskId, keptOutput }, folders, published }: FailedStart,
  taken: readonly TakenPort[],
): Promise<Published> {
  const names = new Set(taken.map(({ service }) => service))
  const containers = await listContainers(host, ids)
  // A container that took the place of another stays until Compose has replaced it: it tells the clean-up what to restore.
  const stuck = containers.filter(
    ({ service, task, origin }) => task === taskId && origin !== 'replaced' && names.has(service),
  )
  for (const line of await retireContainers(host, { folder: folders.output, limits: keptOutput }, stuck)) say(line)
  const times = published.times + 1
  const digest = await rewritePorts(host, folders, { published, taken })
  const ports = Object.fromEntries(taken.map(({ service, port }) => [service, port]))
  return { times, digest, ports: { ...published.ports, ...ports } }
}

type PortChange = { readonly published: Published; readonly taken: readonly TakenPort[] }

async function rewritePorts(host: Host, folders: Folders, { published, taken }: PortChange): Promise<string> {
  const text = await readIfThere(host, folders.composeAfter(published.times))
  const mounted = await readIfThere(host, folders.mounted)
  if (hash('sha256', text + mounted) !== published.digest) {
    throw CheckFailed(`What was checked of the compose file is not on ${host.name} any more as it was. Deploy again`)
  }
  const written = composeJson(taken.reduce(withPort, objectOf(JSON.parse(text, asMeant))))
  await writeSecretFile(host, folders.composeAfter(published.times + 1), { content: new Secret(written) })
  return hash('sha256', written + mounted)
}

/** A missing file reads as empty: the digest is checked afterwards. */
async function readIfThere(host: Host, file: string): Promise<string> {
  const { stdout, exitCode } = await host.run(['cat', '--', file])
  return exitCode === 0 ? stdout.toString() : ''
}

/** Dollar signs are doubled in values, and not in keys. */
const asMeant = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('$$', '$') : value

function withPort(document: JsonObject, { service, port, insteadOf }: TakenPort): JsonObject {
  const services = objectOf(document.services)
  const definition = objectOf(services[service])
  const before = `${LOOPBACK}:${insteadOf}:`
  const ports = [definition.ports]
    .flat()
    .map((own) =>
      typeof own === 'string' && own.startsWith(before) ? `${LOOPBACK}:${port}:${own.slice(before.length)}` : own,
    )
  return { ...document, services: { ...services, [service]: { ...definition, ports } } }
}
