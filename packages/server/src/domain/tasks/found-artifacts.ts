// Which of the files found where an action ran are its artifacts. The list is untrusted.
import { hasMarks } from '@shipway/api/values/text'

/** `kind` is `file`, `link`, `special`, or `more` where there was too much to look at. */
export type FoundEntry = { readonly kind: string; readonly path: string }

export type SortedFound = {
  readonly paths: readonly string[]
  /** A sentence for each that is left out. */
  readonly notes: readonly string[]
  /** Why none is taken: half a list would look whole. */
  readonly fault?: string
}

export const MOST_ARTIFACTS = 1000
const MOST_PATH_BYTES = 1000
/** All paths are words of one command. */
const MOST_BYTES_OF_PATHS = 512 * 1024
const MOST_NOTES = 50

/** Why the list is not to be used at all. */
export const faultOfList = (entries: readonly FoundEntry[]): string | undefined =>
  entries.some(({ kind }) => kind === 'more') ? TOO_MANY_ENTRIES : undefined

/** Checked by its path; symbolic links are checked when the file is opened. Overlong paths are not compared with patterns. */
export function isPlainPath({ path }: FoundEntry): boolean {
  return path.length <= 4096 && path !== '' && path.split('/').every((segment) => !['', '.', '..'].includes(segment))
}

/** Of entries that match. */
export function sortFound(meant: readonly FoundEntry[]): SortedFound {
  const checked = meant.map((entry) => ({ ...entry, note: noteOn(entry) }))
  const all = checked.flatMap(({ note }) => note ?? [])
  const notes = all.length > MOST_NOTES ? [...all.slice(0, MOST_NOTES), `and ${all.length - MOST_NOTES} more`] : all
  const paths = [...new Set(checked.filter(({ note }) => note === undefined).map(({ path }) => path))].sort()
  if (paths.length > MOST_ARTIFACTS) return { paths: [], notes, fault: tooMany(paths.length) }
  const bytes = paths.reduce((sum, path) => sum + Buffer.byteLength(path), 0)
  return bytes > MOST_BYTES_OF_PATHS ? { paths: [], notes, fault: TOO_LONG } : { paths, notes }
}

function noteOn({ kind, path }: FoundEntry): string | undefined {
  if (hasMarks(path) || path.includes('\uFFFD') || path.includes('\\'))
    return `${JSON.stringify(path)} is left out: its name holds characters that are not to be shown. Give it another name`
  if (Buffer.byteLength(path) > MOST_PATH_BYTES) return `${path.slice(0, 60)}… is left out: its name is too long`
  if (kind === 'link') return `${path} is left out: it is a link`
  return kind === 'file' ? undefined : `${path} is left out: it is no regular file`
}

const TOO_MANY_ENTRIES =
  'There are too many files and folders to look at where artifacts.paths begins. Say more closely where the files are, such as reports/*.html'
const TOO_LONG = 'The names of the matching files take too much room. Pack them into one archive in the action'
const tooMany = (count: number): string =>
  `${count} files match artifacts.paths, and at most ${MOST_ARTIFACTS} are kept. Pack them into one archive in the action, or name fewer`
