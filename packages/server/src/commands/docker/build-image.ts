// The command that builds one image. Compose cannot build within limits: it has no option for a cgroup.
import { type BuildSecret, dockerfileOf, type ImageBuild, SERVICE } from '../../domain/compose/image-build.ts'
import type { Command } from '../command.ts'

export type BuildSettings = {
  /** The name that the image of a service gets. */
  readonly imageOf: (service: string) => string
  readonly labels: Readonly<Record<string, string>>
  /**
   * Every build on the machine shares one cache, which knows a command by its words and what it runs on, not by the secrets and
   * proxies that it ran with; and cache mounts have names that every build could give. Each environment gets a set of its own of both.
   */
  readonly cacheToken: string
  /** Null where the build has no limits. */
  readonly cgroup: string | null
  /** Where a Dockerfile that stands in the compose file was written. */
  readonly inlineFile: string
  /** The name under which the build's process finds a variable; undefined where the environment has none such. */
  readonly variableOf: (variable: string) => string | undefined
}

export function buildImage(build: ImageBuild, settings: BuildSettings): Command {
  const { context } = build
  const file = build.dockerfile_inline === undefined ? dockerfileOf(build) : settings.inlineFile
  const args = { ...build.args, BUILDKIT_CACHE_MOUNT_NS: settings.cacheToken }
  return [
    ...(['docker', 'buildx', 'build', '--progress', 'plain', '--load', '--file', file] as const),
    ...['--tag', settings.imageOf(build.service)],
    // An attestation holds times, so that the same image would be another one each time.
    ...['--provenance', build.provenance ?? 'false', ...option('--sbom', build.sbom)],
    ...(settings.cgroup === null ? [] : ['--cgroup-parent', settings.cgroup]),
    ...pairs('--build-arg', args),
    ...pairs('--label', { ...build.labels, ...settings.labels }),
    ...pairs('--build-context', contextsOf(build, settings)),
    ...build.secrets.flatMap((secret) => secretWords(secret, settings)),
    ...[...option('--target', build.target), ...option('--network', build.network)],
    ...[...option('--shm-size', build.shm_size), ...pairs('--ulimit', ulimitsOf(build))],
    ...build.cache_from.flatMap((source) => ['--cache-from', source]),
    // The name is part of what a command is known by in the cache.
    ...[`shipway-${settings.cacheToken}=127.0.0.1`, ...build.extra_hosts].flatMap((host) => ['--add-host', host]),
    ...option('--platform', build.platform),
    ...[...build.entitlements, ...(build.privileged ? ['security.insecure'] : [])].flatMap((right) => [
      '--allow',
      right,
    ]),
    ...[...(build.no_cache ? ['--no-cache'] : []), ...(build.pull ? ['--pull'] : [])],
    ...['--', context],
  ]
}

const option = (name: string, value: string | undefined): string[] => (value === undefined ? [] : [name, value])

const pairs = (name: string, values: Readonly<Record<string, string>>): string[] =>
  Object.entries(values).flatMap(([key, value]) => [name, `${key}=${value}`])

function contextsOf(build: ImageBuild, { imageOf }: BuildSettings): Record<string, string> {
  const contexts = Object.entries(build.additional_contexts).map(([name, context]) => {
    const [, service] = SERVICE.exec(context) ?? []
    return [name, service === undefined ? context : `docker-image://${imageOf(service)}`]
  })
  return Object.fromEntries(contexts)
}

function ulimitsOf({ ulimits }: ImageBuild): Record<string, string> {
  const words = Object.entries(ulimits).map(([name, limit]) => [
    name,
    typeof limit === 'number' ? String(limit) : `${limit.soft}:${limit.hard}`,
  ])
  return Object.fromEntries(words)
}

/** Read as a line of CSV: a name or a path may hold commas. */
function secretWords(secret: BuildSecret, { variableOf }: BuildSettings): string[] {
  const variable = 'variable' in secret ? variableOf(secret.variable) : undefined
  // As Compose does: a build that can do without it goes on, and one that cannot says so.
  if ('variable' in secret && variable === undefined) return []
  const source = 'file' in secret ? `src=${secret.file}` : `env=${variable}`
  return ['--secret', [`id=${secret.id}`, source].map((field) => `"${field.replaceAll('"', '""')}"`).join(',')]
}
