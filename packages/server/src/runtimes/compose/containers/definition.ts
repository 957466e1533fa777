// Stores the definition of a container, so that it can be recreated: Compose removes the container that it replaces.
//
// It holds values of variables. It is in the environment's folder, readable by the platform's user alone, from before the old
// container is removed until the new one serves or the old one is back.
import { parseBoundedJson } from '@shipway/rules/bounded-json'
import { z } from 'zod'
import { inspectContainer } from '../../../commands/docker/containers.ts'
import { askDocker } from '../../../remote/ask-docker.ts'
import { collectOutput } from '../../../remote/collected-output.ts'
import type { Host } from '../../../remote/host.ts'
import { writeSecretFile } from '../../../remote/write-secret-file.ts'
import { Secret } from '../../../secrets/secret.ts'

export type Definition = z.infer<typeof Definition>

const anything = z.looseObject({})

const Network = z
  .object({ IPAMConfig: z.unknown(), Aliases: z.unknown(), Links: z.unknown(), DriverOpts: z.unknown() })
  .partial()

const Volume = z.object({
  Type: z.string(),
  Name: z.string().optional(),
  Source: z.string().optional(),
  Destination: z.string(),
})

const Definition = z.object({
  Name: z.string().transform((name) => name.replace(/^\//, '')),
  /** By id: the name may belong to another image by now. */
  Image: z.string(),
  Mounts: z.array(Volume),
  Config: z.looseObject({ Labels: z.record(z.string(), z.string()) }),
  HostConfig: anything,
  NetworkSettings: z.object({ Networks: z.record(z.string(), Network).nullish() }),
})

/** The file for the definition of a service. */
export const definitionFile = (folder: string, service: string): string => `${folder}/${service}.json`

export async function keepDefinition(host: Host, containerId: string, file: string): Promise<void> {
  const definition = await inspectDefinition(host, containerId)
  await writeSecretFile(host, file, { content: new Secret(JSON.stringify(definition)) })
}

/** As the container is now. */
export async function inspectDefinition(host: Host, containerId: string): Promise<Definition> {
  const output = collectOutput(mostBytes)
  await askDocker(host, { command: inspectContainer(containerId), onOutput: output.add })
  return definitionIn(output.bytes())
}

/** Undefined where none is stored. */
export async function readDefinition(host: Host, file: string): Promise<Definition | undefined> {
  const output = collectOutput(mostBytes)
  const { exitCode } = await host.run(['cat', '--', file], { onOutput: output.add })
  return exitCode === 0 ? definitionIn(output.bytes()) : undefined
}

/** A definition holds all variables: up to two mebibytes, escaped. */
const mostBytes = 16 * 1024 * 1024
const limits = { values: 50_000, depth: 100 } as const

const definitionIn = (bytes: Buffer): Definition => Definition.parse(parseBoundedJson(bytes.toString(), limits))

export async function forgetDefinitions(host: Host, folder: string): Promise<void> {
  await host.run(['rm', '-rf', '--', folder])
}
