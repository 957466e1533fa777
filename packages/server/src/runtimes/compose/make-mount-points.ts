// Makes mount points inside other mounts that containers cannot write to: in the release, and in persistent folders.
import type { ComposeModel } from '@shipway/rules/compose/model'
import type { Checkout } from '@shipway/rules/compose/mounts/checkout-path'
import { dockerScript } from '../../commands/docker/script.ts'
import type { Deployment } from '../../deployment/deployment.ts'
import { mountPoints } from '../../domain/compose/mounts/mount-points.ts'
import { ask } from '../../remote/ask.ts'
import type { Host } from '../../remote/host.ts'

type MountScope = {
  readonly ids: Deployment['ids']
  readonly checkout: Checkout
  readonly imageVolumes: ReadonlyMap<string, readonly string[]>
}

export async function makeMountPoints(host: Host, model: ComposeModel, making: MountScope): Promise<void> {
  const { checkout, imageVolumes, ids } = making
  const sentence = `Mount points cannot be made on ${host.name}`
  const points = mountPoints(model, { checkout, imageVolumes })
  const inRelease = points.filter(({ within }) => within === null)
  const inVolumes = points.flatMap(({ path, within }) => (within ? [within.name, within.key, within.folder, path] : []))
  if (inRelease.length > 0) {
    const input = inRelease.map(({ source, path }) => `${source?.replaceAll('\n', '') ?? ''}\n${path}\n`).join('')
    await ask(host, { command: dockerScript('make-mount-points', checkout.folder), input }, sentence)
  }
  if (inVolumes.length > 0) {
    const words = [ids.installationId, String(ids.environmentId), model.name, ...inVolumes]
    await ask(host, dockerScript('make-volume-mount-points', ...words), sentence)
  }
}
