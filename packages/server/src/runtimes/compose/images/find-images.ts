// Finds the images of the services of a model on the server.

import type { ComposeModel } from '@shipway/rules/compose/model'
import { z } from 'zod'
import { dockerScript } from '../../../commands/docker/script.ts'
import type { Deployment } from '../../../deployment/deployment.ts'
import { imageName } from '../../../domain/compose/override-for.ts'
import type { Host } from '../../../remote/host.ts'

type Images = {
  readonly images: ReadonlyMap<string, string>
  /** The paths that the image of each service declares as volumes. */
  readonly imageVolumes: ReadonlyMap<string, readonly string[]>
  /** The TCP ports that it exposes. */
  readonly imagePorts: ReadonlyMap<string, readonly number[]>
}

export type FoundImage = {
  readonly id: string
  /** Paths of volumes, and ports as docker writes them. */
  readonly paths: readonly string[]
  readonly exposed: readonly string[]
}

type NamedImage = { readonly name: string; readonly image: string }

export function imageNames(model: ComposeModel, deployment: Deployment): readonly NamedImage[] {
  const ids = { ...deployment.ids, taskId: deployment.taskId }
  return [...model.services.values()].map(({ name, build, image }) => ({
    name,
    image: build ? imageName(ids, name) : (image ?? ''),
  }))
}

/** In the order of the names; null for a missing one. */
export async function findImages(host: Host, names: readonly string[]): Promise<readonly (FoundImage | null)[]> {
  const { stdout } = await host.run(dockerScript('find-images', ...names))
  const lines = stdout.toString().trim().split('\n')
  return names.map((_, index) => {
    const [, id, volumes = '', exposed = ''] = /^(\S+) ([^\t]*)\t(.*)$/s.exec(lines[index] ?? '') ?? []
    return id === undefined ? null : { id, paths: keysOf(volumes), exposed: keysOf(exposed) }
  })
}

export function imagesOf(names: readonly NamedImage[], all: readonly (FoundImage | null)[]): Images {
  // An unknown image never equals the running one.
  const found = names.flatMap(({ name }, index) => {
    const image = all[index]
    return image ? [{ name, ...image }] : []
  })
  return {
    images: new Map(found.map(({ name, id }) => [name, id])),
    imageVolumes: new Map(found.map(({ name, paths }) => [name, paths])),
    imagePorts: new Map(found.map(({ name, exposed }) => [name, exposed.flatMap(tcpPort)])),
  }
}

const keysOf = (json: string): string[] => Object.keys(Keys.parse(JSON.parse(json)) ?? {})
const Keys = z.record(z.string(), z.unknown()).nullable()

/** Docker writes `80/tcp`. */
function tcpPort(text: string): number[] {
  const port = Number(/^([0-9]{1,5})\/tcp$/.exec(text)?.[1])
  return port >= 1 && port <= 65_535 ? [port] : []
}
