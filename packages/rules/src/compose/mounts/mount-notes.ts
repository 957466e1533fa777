// Notes about mounts that differ from what the compose file says.
import { safeText } from '../../safe-text.ts'
import type { Note } from '../adapt/note.ts'
import type { JsonObject } from '../model.ts'
import { within } from '../policy/refusal.ts'
import { liesIn } from './checkout-path.ts'

/** How a mount was resolved: as a persistent folder (`absent`, `empty`), or as part of the release. */
export type MountDecision = {
  readonly service: string
  /** Its index among the mounts of the service; null if the platform added it. */
  readonly index: number | null
  /** In the checkout; null for other paths. */
  readonly path: string | null
  readonly definition: JsonObject
  readonly how: 'absent' | 'empty' | 'read' | 'written' | 'as it says'
}

/** `known`: persistent folders of earlier deployments. */
export function notesOn(mounts: readonly MountDecision[], known: readonly string[]): readonly Note[] {
  const said = mounts.flatMap(({ service, index, path, definition, how }) => {
    if (path === null) return []
    const key = `${within('services', service)}.volumes`
    const sentences = noteOn({ service: safeText(service), path, target: String(definition.target), how }, known)
    return sentences.map((sentence) => ({ key: index === null ? key : within(key, index), sentence }))
  })
  const seen = new Set<string>()
  return said.filter(({ sentence }) => !seen.has(sentence) && seen.add(sentence))
}

type Decided = Pick<MountDecision, 'service' | 'how'> & { readonly path: string; readonly target: string }

function noteOn({ service, path, target, how }: Decided, known: readonly string[]): string[] {
  const name = nameOf(path)
  if (how === 'absent' || how === 'empty') {
    const why = how === 'absent' ? 'is not in the commit' : 'is an empty folder in the commit'
    return [
      `${service}: ${name} ${why}: it is a persistent folder of the environment, which is deleted only with the environment or by a reset`,
      ...(how === 'absent' && isLikeFile(path) && isLikeFile(target)
        ? [
            `${service}: ${name} looks like a file, and Docker mounts a folder there. Commit the file if that is what it is`,
          ]
        : []),
      ...hiddenBefore(service, path, known),
    ]
  }
  const left = known.includes(path)
    ? [`Warning: ${service}: ${name} is in the commit now: what the environment kept there stays aside until a reset`]
    : []
  if (how === 'read') {
    return [...left, `${service}: ${name} is in the commit and mounted read-only. Write :rw behind it to change that`]
  }
  if (how === 'as it says') return left
  return [
    ...left,
    `Warning: ${service} may write to ${name} of this release: what it writes there goes with the release`,
  ]
}

/** Warns if a new folder hides data of a persistent folder above it. */
function hiddenBefore(service: string, path: string, known: readonly string[]): string[] {
  const above = known.includes(path) ? undefined : known.find((folder) => liesIn(`/${path}`, `/${folder}`))
  if (above === undefined) return []
  return [
    `Warning: ${service}: ${nameOf(path)} begins empty, and hides what ${nameOf(above)} has had at its place until now`,
  ]
}

const nameOf = (path: string): string =>
  safeText(`./${path}`)
    .replaceAll(/[\n\t]/g, ' ')
    .slice(0, LONGEST)

const LONGEST = 200

/** By usual file extensions, since folders may also have dots in their names. */
function isLikeFile(path: string): boolean {
  return FILE_ENDING.test(path)
}

const FILE_ENDING =
  /\.(ya?ml|json|toml|ini|conf|cnf|cfg|env|xml|properties|txt|pem|key|crt|sh|sql|js|ts|py|php|lua|html|log|db|sqlite3?)$/i
