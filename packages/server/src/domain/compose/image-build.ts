// How the image of a service is built, out of the model that Compose has resolved.

import { posix } from 'node:path'
import type { ComposeModel, ComposeService } from '@shipway/rules/compose/model'
import { z } from 'zod'
import { CheckFailed } from '../tasks/step-fault.ts'

/** Nothing in it comes from a custom variable: such a compose file is refused before. */
export type ImageBuild = Omit<z.infer<typeof buildSchema>, 'secrets'> & {
  readonly service: string
  /** The one that runs: the engine keeps an image for one platform. */
  readonly platform: string | undefined
  readonly secrets: readonly BuildSecret[]
  /** Services of the same file whose images it is built from. */
  readonly needs: readonly string[]
}

/** The way of a value into a build that leaves no trace in the image. */
export type BuildSecret = { readonly id: string } & ({ readonly variable: string } | { readonly file: string })

export function imageBuild({ secrets }: ComposeModel, { name, build, definition }: ComposeService): ImageBuild {
  const parsed = buildSchema.safeParse(build)
  if (!parsed.success) {
    const place = ['services', name, 'build', ...(parsed.error.issues[0]?.path ?? [])].join('.')
    throw CheckFailed(`${place} is of no form that an image can be built from`)
  }
  const contexts = Object.values(parsed.data.additional_contexts)
  const { data: platform } = text.optional().safeParse(definition.platform)
  return {
    ...parsed.data,
    service: name,
    platform: platform ?? (parsed.data.platforms.length === 1 ? parsed.data.platforms[0] : undefined),
    secrets: parsed.data.secrets.map(({ source, target }) => secretOf(secrets.get(source), target ?? source)),
    needs: contexts.flatMap((context) => SERVICE.exec(context)?.[1] ?? []),
  }
}

/** Where a Dockerfile lies that does not stand in the compose file. */
export const dockerfileOf = ({ context, dockerfile = 'Dockerfile' }: ImageBuild): string =>
  posix.resolve(context, dockerfile)

/** In the order of building: those of one round need only those of earlier ones. */
export function buildRounds(builds: readonly ImageBuild[]): readonly (readonly ImageBuild[])[] {
  const names = new Set(builds.map(({ service }) => service))
  const built = new Set<string>()
  const rounds: (readonly ImageBuild[])[] = []
  for (let waiting = [...builds]; waiting.length > 0; ) {
    const ready = waiting.filter(({ needs }) => needs.every((name) => built.has(name) || !names.has(name)))
    if (ready.length === 0) {
      throw CheckFailed(`The images of ${waiting.map(({ service }) => service).join(', ')} are built from each other`)
    }
    for (const { service } of ready) built.add(service)
    rounds.push(ready)
    waiting = waiting.filter(({ service }) => !built.has(service))
  }
  return rounds
}

/** A context that is the image of another service. */
export const SERVICE = /^service:([\w.-]+)$/

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const texts = z.record(z.string(), text).default({})
const list = z.array(text).default([])

const buildSchema = z.object({
  context: text,
  dockerfile: text.optional(),
  dockerfile_inline: text.optional(),
  target: text.optional(),
  args: texts,
  labels: texts,
  additional_contexts: texts,
  cache_from: list,
  extra_hosts: list,
  platforms: list,
  entitlements: list,
  network: text.optional(),
  shm_size: text.optional(),
  ulimits: z.record(z.string(), z.union([z.int(), z.object({ soft: z.int(), hard: z.int() })])).default({}),
  no_cache: z.boolean().default(false),
  pull: z.boolean().default(false),
  privileged: z.boolean().default(false),
  provenance: text.optional(),
  sbom: text.optional(),
  secrets: z.array(z.object({ source: z.string(), target: text.optional() })).default([]),
})

const secretSchema = z.union([z.object({ environment: text }), z.object({ file: text })])

function secretOf(declared: unknown, id: string): BuildSecret {
  const { data } = secretSchema.safeParse(declared)
  if (!data) throw CheckFailed(`secrets.${id} is neither a variable nor a file, so no build can get it`)
  return 'file' in data ? { id, file: data.file } : { id, variable: data.environment }
}
