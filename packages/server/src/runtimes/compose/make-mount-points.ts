// Makes the places for mounts that lie within others which nothing can be written to: in the release, and in persistent folders.
import type { ComposeModel } from '@shipway/rules/compose/model'
import type { Checkout } from '@shipway/rules/compose/mounts/checkout-path'
import { dockerScript } from '../../commands/docker/script.ts'
import type { Deployment } from '../../deployment/deployment.ts'
import { mountPlaces } from '../../domain/compose/mounts/mount-places.ts'
import { ask } from '../../remote/ask.ts'
import type { Host } from '../../remote/host.ts'

type MountScope = {
  readonly ids: Deployment['ids']
  readonly checkout: Checkout
  readonly imageVolumes: ReadonlyMap<string, readonly string[]>
}

export async function makeMountPoints(host: Host, model: ComposeModel, making: MountScope): Promise<void> {
  const { checkout, imageVolumes, ids } = making
  const sentence = `The places for mounts cannot be made on ${host.name}`
  const places = mountPlaces(model, { checkout, imageVolumes })
  const inRelease = places.filter(({ within }) => within === null)
  const inVolumes = places.flatMap(({ path, within }) => (within ? [within.name, within.key, within.folder, path] : []))
  if (inRelease.length > 0) {
    const input = inRelease.map(({ source, path }) => `${source?.replaceAll('\n', '') ?? ''}\n${path}\n`).join('')
    await ask(host, { command: dockerScript('make-mount-points', checkout.folder), input }, sentence)
  }
  if (inVolumes.length > 0) {
    const words = [ids.installationId, String(ids.environmentId), model.name, ...inVolumes]
    await ask(host, dockerScript('make-volume-mount-points', ...words), sentence)
  }
}
