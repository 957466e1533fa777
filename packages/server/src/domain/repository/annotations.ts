// Files and lines that the output of a failed step names, to be marked in the pull request. Lines of compilers, linters, interpreters
// and builders are known; a path counts only if the commit has that file, which the caller checks.
import { plainLine } from './inert-text.ts'

export type Annotation = { readonly path: string; readonly line: number; readonly message: string }

/** GitHub takes 50 with one request; a reader needs only the first few. */
export const MOST_ANNOTATIONS = 20
const MOST_CANDIDATES = 200
const MOST_LINE_CHARACTERS = 500
const MOST_PATH_CHARACTERS = 250
const MOST_LINE_NUMBER = 1_000_000

/** In the order of the output, each file and line once. */
export function annotationCandidates(output: string): readonly Annotation[] {
  const found = new Map<string, Annotation>()
  for (const line of output.split('\n')) {
    const annotation = readLine(line.slice(0, MOST_LINE_CHARACTERS))
    if (!annotation) continue
    const key = `${annotation.path}:${annotation.line}`
    if (!found.has(key)) found.set(key, annotation)
    if (found.size === MOST_CANDIDATES) break
  }
  return [...found.values()]
}

/** `files`: those of the candidates' paths that are files of the commit. */
export const annotationsOf = (candidates: readonly Annotation[], files: ReadonlySet<string>): readonly Annotation[] =>
  candidates.filter(({ path }) => files.has(path)).slice(0, MOST_ANNOTATIONS)

const PATH = String.raw`(?<path>[^\s:()'"<>|,]+)`
const FORMS: readonly RegExp[] = [
  // `src/shop.ts(12,5): error TS2322: …`
  new RegExp(String.raw`^${PATH}\((?<line>\d{1,7})(?:,\d+)*\): ?(?<message>.*)$`),
  // `src/shop.ts:12:5 - error …`, `main.go:12: undefined: x`, `Dockerfile:12`, `--> src/main.rs:12:5`
  new RegExp(
    String.raw`^(?:-->|at|in|ERROR in|error:)? ?${PATH}:(?<line>\d{1,7})(?::\d+)?(?:(?:: ?| - | )(?<message>.*))?$`,
  ),
  // `File "shop/views.py", line 12, in index`
  /^File "(?<path>[^"]+)", line (?<line>\d{1,7})(?:, (?<message>.*))?$/,
]

function readLine(text: string): Annotation | undefined {
  const line = text.replace(BUILDER_PREFIX, '').trim()
  for (const form of FORMS) {
    const { path, line: number, message } = form.exec(line)?.groups ?? {}
    const inside = path === undefined ? undefined : insideRepository(path)
    const at = Number(number)
    if (inside === undefined || at < 1 || at > MOST_LINE_NUMBER) continue
    return { path: inside, line: at, message: plainLine(message ?? '') || 'The failed step names this line' }
  }
  return undefined
}

/** BuildKit prints `#12 3.456 ` before each line of a step. */
const BUILDER_PREFIX = /^#\d{1,6} (?:\d{1,9}\.\d{1,9} )?/

/** Folders that images commonly copy the repository to. */
const IMAGE_FOLDERS = /^\/(?:usr\/src\/app|app|src|code|workspace)\//

function insideRepository(path: string): string | undefined {
  const relative = path.replace(IMAGE_FOLDERS, '').replace(/^(?:\.\/)+/, '')
  const isInside = !relative.startsWith('/') && !relative.split('/').some((part) => part === '..' || part === '')
  return isInside && relative.length <= MOST_PATH_CHARACTERS ? relative : undefined
}
