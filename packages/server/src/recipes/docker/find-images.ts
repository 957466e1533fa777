// The images that the services of a model are to run, as the server has them.

import type { ComposeModel } from '@shipway/rules/compose/model'
import { z } from 'zod'
import { imageName } from '../../domain/compose/override-for.ts'
import type { Host } from '../../remote/host.ts'
import type { Deployment } from '../deployment.ts'
import { dockerScript } from './script.ts'

type Images = {
  readonly images: ReadonlyMap<string, string>
  /** The paths that the image of each service declares as volumes. */
  readonly imageVolumes: ReadonlyMap<string, readonly string[]>
  /** The TCP ports that it says its program listens on. */
  readonly imagePorts: ReadonlyMap<string, readonly number[]>
}

export async function findImages(host: Host, model: ComposeModel, deployment: Deployment): Promise<Images> {
  const ids = { ...deployment.ids, taskId: deployment.taskId }
  const names = [...model.services.values()].map(({ name, build, image }) => ({
    name,
    image: build ? imageName(ids, name) : (image ?? ''),
  }))
  const { stdout } = await host.run(dockerScript('find-images', ...names.map(({ image }) => image)))
  const lines = stdout.toString().trim().split('\n')
  const found = names.flatMap(({ name }, index) => {
    const [, id, volumes = '', exposed = ''] = /^(\S+) (.*)\t(.*)$/.exec(lines[index] ?? '') ?? []
    // One that is not known is never the same as the one that runs.
    return id === undefined ? [] : [{ name, id, paths: keysOf(volumes), ports: keysOf(exposed).flatMap(tcpPort) }]
  })
  return {
    images: new Map(found.map(({ name, id }) => [name, id])),
    imageVolumes: new Map(found.map(({ name, paths }) => [name, paths])),
    imagePorts: new Map(found.map(({ name, ports }) => [name, ports])),
  }
}

const keysOf = (json: string): string[] => Object.keys(Keys.parse(JSON.parse(json)) ?? {})
const Keys = z.record(z.string(), z.unknown()).nullable()

/** Docker writes `80/tcp`. */
function tcpPort(text: string): number[] {
  const port = Number(/^([0-9]{1,5})\/tcp$/.exec(text)?.[1])
  return port >= 1 && port <= 65_535 ? [port] : []
}
