// Makes the places for mounts that lie within others which nothing can be written to: in the release, and in persistent folders.

import type { ComposeModel } from '../../domain/compose/model.ts'
import type { Checkout } from '../../domain/compose/mounts/checkout-path.ts'
import { mountPlaces } from '../../domain/compose/mounts/mount-places.ts'
import { CheckFailed } from '../../domain/tasks/step-fault.ts'
import type { Host } from '../../remote/host.ts'
import { lastLine } from '../../remote/last-line.ts'
import type { Deployment } from '../deployment.ts'
import { dockerScript } from './script.ts'

type Making = {
  readonly deployment: Deployment
  readonly checkout: Checkout
  readonly imageVolumes: ReadonlyMap<string, readonly string[]>
}

export async function makePlaces(host: Host, model: ComposeModel, making: Making): Promise<void> {
  const { checkout, imageVolumes, deployment } = making
  const places = mountPlaces(model, { checkout, imageVolumes })
  const inRelease = places.filter(({ within }) => within === null)
  const inVolumes = places.flatMap(({ path, within }) => (within ? [within.name, within.key, within.folder, path] : []))
  if (inRelease.length > 0) {
    const input = inRelease.map(({ source, path }) => `${source?.replaceAll('\n', '') ?? ''}\n${path}\n`).join('')
    await run(host, dockerScript('make-places', checkout.folder), input)
  }
  if (inVolumes.length > 0) {
    const { installationId, environmentId } = deployment.ids
    const words = [installationId, String(environmentId), model.name, ...inVolumes]
    await run(host, dockerScript('make-volume-places', ...words), '')
  }
}

async function run(host: Host, command: ReturnType<typeof dockerScript>, input: string): Promise<void> {
  const { exitCode, stderr } = await host.run(command, { input })
  if (exitCode !== 0) throw CheckFailed(`The places for mounts cannot be made on ${host.name}: ${lastLine(stderr)}`)
}
