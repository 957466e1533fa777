// Files that containers of a stack get, as secrets and configs of the Swarm: those that the compose file declares, and files of the
// repository that services mount, since only the manager has the checkout.
import type { ComposeModel, ComposeService, JsonObject } from '@shipway/rules/compose/model'
import { objectOf } from '@shipway/rules/compose/policy/policy-rules'

export type StackFileSource = {
  readonly key: string
  readonly kind: 'secret' | 'config'
  readonly content:
    | { readonly type: 'file'; readonly path: string }
    /** May be secret. */
    | { readonly type: 'text'; readonly text: string }
}

/** A file that is ready on the manager. */
export type StackFile = {
  readonly path: string
  /** SHA-256 of its content, as hexadecimal. */
  readonly digest: string
  readonly isExecutable: boolean
}

/** Those that services use, each once. */
export function stackFiles(model: ComposeModel, variables: ReadonlyMap<string, string>): readonly StackFileSource[] {
  const found = [...model.services.values()].flatMap((service) => [
    ...referencesIn(service, 'secrets').flatMap(({ source }) =>
      declared('secret', source, model.secrets.get(source), variables),
    ),
    ...referencesIn(service, 'configs').flatMap(({ source }) =>
      declared('config', source, model.configs.get(source), variables),
    ),
    ...mountedFiles(service).map(
      ({ source }): StackFileSource => ({
        key: fileKey('mount', source),
        kind: 'config',
        content: { type: 'file', path: source },
      }),
    ),
  ])
  return [...new Map(found.map((file) => [file.key, file])).values()]
}

function declared(
  kind: 'secret' | 'config',
  name: string,
  definition: JsonObject | undefined,
  variables: ReadonlyMap<string, string>,
): readonly StackFileSource[] {
  const { file, content, environment } = definition ?? {}
  const key = fileKey(kind, name)
  if (typeof file === 'string') return [{ key, kind, content: { type: 'file', path: file } }]
  if (typeof content === 'string') return [{ key, kind, content: { type: 'text', text: content } }]
  if (typeof environment !== 'string') return []
  return [{ key, kind, content: { type: 'text', text: variables.get(environment) ?? '' } }]
}

export type FileReference = {
  readonly source: string
  readonly target: string
  readonly others: JsonObject
}

/** With the place in the container, which Compose chooses where the file names none. */
export function referencesIn({ definition }: ComposeService, section: 'secrets' | 'configs'): readonly FileReference[] {
  const list = definition[section]
  return (Array.isArray(list) ? list : []).map((entry) => {
    const { source, target, ...others } = typeof entry === 'string' ? { source: entry } : objectOf(entry)
    const name = String(source)
    const given = typeof target === 'string' && target !== '' ? target : name
    const folder = section === 'secrets' ? '/run/secrets/' : '/'
    return { source: name, target: given.startsWith('/') ? given : `${folder}${given}`, others }
  })
}

/** Mounts of paths: the rules leave files of the repository alone. */
export function mountedFiles({
  mounts,
}: ComposeService): readonly { readonly source: string; readonly target: string }[] {
  return mounts.flatMap(({ type, source, target }) =>
    type === 'bind' && source !== null && target !== null ? [{ source, target }] : [],
  )
}

export const fileKey = (kind: 'secret' | 'config' | 'mount', name: string): string => `${kind}:${name}`
