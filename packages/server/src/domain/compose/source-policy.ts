// What BuildKit may take from where, as a source policy: BuildKit applies it to every source that the frontend asks for, so the platform need
// not read Dockerfiles for it. BuildKit fetches in the network of the machine, where services listen that are not the environment's to read.
//
// Each build gets a source policy that refuses everything but the checkout, Docker Hub, and registries whose addresses the server has resolved.
// Registry names are guessed from the Dockerfile first, for speed; a name that was not guessed fails the step, which is then repeated with it.
// The policy decides, not the guess.
import type { Capability } from '@shipway/rules/compose/policy/capabilities'

type Allowed = {
  readonly grants: ReadonlySet<Capability>
  /** Registries that were checked, beside Docker Hub. */
  readonly registries: readonly string[]
}

/** Of the rules that fit a source the last one counts, so that an unknown kind of source is refused. */
export function sourcePolicy({ grants, registries }: Allowed): string {
  const allowed = [
    'local://*',
    'docker-image://docker.io/*',
    ...registries.map((registry) => `docker-image://${registry}/*`),
    ...(grants.has('private_registries') ? ['docker-image://*'] : []),
    ...(grants.has('remote_build_sources') ? ['http://*', 'https://*', 'git://*'] : []),
  ]
  const rules = [rule('DENY', '*'), ...allowed.map((identifier) => rule('ALLOW', identifier))]
  return JSON.stringify({ version: 1, rules })
}

const rule = (action: 'ALLOW' | 'DENY', identifier: string) => ({ action, selector: { identifier } })

export type DeniedSource =
  | { readonly type: 'image'; readonly registry: string }
  | { readonly type: 'remote'; readonly source: string }

/** The source that a build was refused, by what BuildKit says of it. */
export function deniedSource(reason: string): DeniedSource | undefined {
  const [, source] = /source "([^"\s]{1,500})" denied by policy/.exec(reason) ?? []
  if (source === undefined) return undefined
  const [, registry] = /^docker-image:\/\/([^/]+)\//.exec(source) ?? []
  return registry === undefined ? { type: 'remote', source } : { type: 'image', registry }
}
