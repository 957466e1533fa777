// Finds Dockerfiles that a compose file names and the commit does not contain. The build itself decides.
import { posix } from 'node:path'
import type { ComposeModel, ComposeService } from './model.ts'
import type { SourceKind } from './mounts/resolve-mounts.ts'
import { within } from './policy/refusal.ts'
import { CHECKOUT } from './read-compose-files.ts'

type Tree = {
  readonly links: ReadonlySet<string>
  /** What the commit has at a path; null if not of interest. */
  readonly kindOf: ((path: string) => Promise<SourceKind>) | null
}

type Missing = { readonly key: string; readonly sentence: string }

export async function missingDockerfiles(model: ComposeModel, { links, kindOf }: Tree): Promise<readonly Missing[]> {
  if (kindOf === null) return []
  const missing: Missing[] = []
  for (const service of model.services.values()) {
    const path = dockerfileOf(service)
    // Only the build can resolve links.
    if (path === undefined || [...links].some((link) => path === link || path.startsWith(`${link}/`))) continue
    if ((await kindOf(path)) === 'file') continue
    const key = within(within('services', service.name), 'build')
    missing.push({
      key,
      sentence: `${key}: there is no file ${path}, so that its build will fail. Add it, or name another as its dockerfile`,
    })
  }
  return missing
}

/** Relative to the root of the commit; undefined if it is outside, or depends on unknown values. */
function dockerfileOf({ build }: ComposeService): string | undefined {
  const { context = '.', dockerfile = 'Dockerfile', dockerfile_inline: inline } = build ?? {}
  if (build === null || inline !== undefined || typeof context !== 'string' || typeof dockerfile !== 'string')
    return undefined
  const path = posix.relative(CHECKOUT, posix.resolve(CHECKOUT, context, dockerfile))
  return path.startsWith('..') || /\$|:\/\//.test(`${context}${dockerfile}`) ? undefined : path
}
