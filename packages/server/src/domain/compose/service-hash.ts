// One text for all that a container is made of, so that a service that did not change can be left alone.
import type { ComposeModel, ComposeService, JsonObject } from '@shipway/rules/compose/model'
import { objectOf } from '@shipway/rules/compose/policy/policy-rules'

export type HashParts = {
  readonly imageId: string | null
  /** The port that the platform publishes; null where the service is not routed. */
  readonly port: number | null
  /** Whatever else the containers take: the version of the variables, the limits. */
  readonly settings: string
  /** Hashes of the services whose namespaces or volumes it shares: it restarts with them. */
  readonly joined: readonly string[]
  /** SHA-256 as hexadecimal. */
  readonly digest: (text: string) => string
}

/** Paths of the checkout differ in each deployment, so a service that mounts one is always another. */
export function serviceHash(model: ComposeModel, service: ComposeService, { digest, ...parts }: HashParts): string {
  const definition = Object.entries(service.definition).filter(([key]) => !isLeftOut(key))
  return digest(canonicalJson({ ...parts, definition: Object.fromEntries(definition), uses: usedBy(model, service) }))
}

/** What says nothing of the running container. */
function isLeftOut(key: string): boolean {
  return key.startsWith('x-') || ['build', 'image', 'pull_policy', 'depends_on', 'profiles', 'develop'].includes(key)
}

function usedBy(model: ComposeModel, { definition, mounts }: ComposeService): JsonObject {
  return {
    networks: picked(model.networks, Object.keys(objectOf(definition.networks))),
    volumes: picked(
      model.volumes,
      mounts.flatMap(({ source }) => source ?? []),
    ),
    secrets: picked(model.secrets, sourcesOf(definition.secrets)),
    configs: picked(model.configs, sourcesOf(definition.configs)),
  }
}

function picked(definitions: ReadonlyMap<string, JsonObject>, names: readonly string[]): JsonObject {
  return Object.fromEntries([...definitions].filter(([name]) => names.includes(name)))
}

/** What a service names in its `secrets` or `configs`. */
export function sourcesOf(list: unknown): string[] {
  return (Array.isArray(list) ? list : []).map((entry) => String(objectOf(entry).source))
}

/** The same text for the same value, however its keys are ordered. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
