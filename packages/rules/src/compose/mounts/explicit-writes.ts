// Finds mounts that a compose file explicitly marks as writable. Compose's model does not show the difference from the default.
import { posix } from 'node:path'
import type { ComposeSource } from '../policy/check-compose-source.ts'
import { objectOf } from '../policy/policy-rules.ts'

/** The source is relative to the checkout. Null if it contains a variable: the other field then identifies the mount. */
export type ExplicitWrite = { readonly source: string | null; readonly target: string | null }

export function explicitWrites(document: unknown, { folder }: ComposeSource): ExplicitWrite[] {
  const services = Object.values(objectOf(objectOf(document).services))
  const entries = services.flatMap((service) => {
    const { volumes } = objectOf(service)
    return Array.isArray(volumes) ? volumes : []
  })
  return entries.flatMap((entry) => {
    const said = typeof entry === 'string' ? shortForm(entry) : longForm(objectOf(entry))
    if (!said || posix.isAbsolute(said.source)) return []
    const write = {
      source: said.source.includes('$') ? null : posix.normalize(posix.join(folder, said.source)).replace(/\/$/, ''),
      target: said.target.includes('$') ? null : targetOf(said.target),
    }
    return write.source === null && write.target === null ? [] : [write]
  })
}

/** Whether a mount is explicitly writable; sources are relative to the checkout, as above. */
export function writesOf(writes: readonly ExplicitWrite[]): (source: string, target: string) => boolean {
  const keyOf = (source: string | null, target: string | null): string => JSON.stringify([source, target])
  const said = new Set(writes.map(({ source, target }) => keyOf(source, target)))
  return (path, mount) => {
    const [source, target] = [path === '' ? '.' : path, targetOf(mount)]
    return [keyOf(source, target), keyOf(null, target), keyOf(source, null)].some((key) => said.has(key))
  }
}

type MountPaths = { readonly source: string; readonly target: string }

/** `./source:/target:rw,z`. A variable may hold colons: `${NAME:-other}`. */
function shortForm(entry: string): MountPaths | undefined {
  const parts = entry.replaceAll(/\$\{[^{}]*\}/g, '$').split(':')
  const [source, target, modes = ''] = parts
  if (parts.length !== 3 || !source || !target || !modes.split(',').includes('rw')) return undefined
  return { source, target }
}

function longForm({ type, source, target, read_only: readOnly }: ReturnType<typeof objectOf>): MountPaths | undefined {
  if (type !== 'bind' || readOnly !== false || typeof source !== 'string' || typeof target !== 'string')
    return undefined
  return { source, target }
}

const targetOf = (target: string): string => posix.normalize(target).replace(/(?<=.)\/$/, '')
