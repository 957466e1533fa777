// The link file `.shipway` of a repository: names the project, and perhaps the environment and the platform.
import { dirname, join } from 'node:path'
import { UsageError } from '../command-error.ts'
import { nearest } from '../nearest.ts'
import { readPlainFile } from '../repository/read-plain-file.ts'
import { plainText } from '../terminal/sanitize.ts'

export type Link = {
  /** `repository`: it comes with the checkout, so it must not decide whom to trust. `user`: made with `shipway link`. */
  readonly by: 'repository' | 'user'
  readonly file: string
  /** Its name or id. */
  readonly project: string
  /** Where `project` is an id. */
  readonly projectName?: string
  readonly environment: string | undefined
  readonly url: string | undefined
}

/** In this folder, or in the nearest one above it. */
export async function findLinkFile(folder: string): Promise<Link | undefined> {
  const file = join(folder, '.shipway')
  const found = await readPlainFile(file, { mostBytes: MOST_BYTES }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  if (found?.kind === 'file') return readLink(file, found.content.toString())
  // A folder or a pipe of that name is something else.
  if (found?.kind === 'too_large') throw UsageError(`${file} is too large for a link file`, EXAMPLE)
  return dirname(folder) === folder ? undefined : findLinkFile(dirname(folder))
}

const MOST_BYTES = 64 * 1024

const FIELDS = ['project', 'environment', 'url']

function readLink(file: string, text: string): Link {
  const fields = parse(file, text)
  for (const [name, value] of Object.entries(fields)) {
    if (!FIELDS.includes(name)) throw UnknownField(file, name)
    if (typeof value !== 'string' && !(typeof value === 'number' && name !== 'url')) {
      throw UsageError(`${file}: ${name} is not a text`, EXAMPLE)
    }
  }
  const { project, environment, url } = fields
  if (project === undefined) throw UsageError(`${file} names no project`, EXAMPLE)
  return {
    by: 'repository',
    file,
    project: String(project),
    environment: environment === undefined ? undefined : String(environment),
    url: url === undefined ? undefined : String(url),
  }
}

function parse(file: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw UsageError(`${file} is not a JSON object`, EXAMPLE)
}

function UnknownField(file: string, name: string) {
  const near = nearest(name, FIELDS)
  return UsageError(`${file}: ${plainText(name)} is not known${near ? `. Did you mean ${near}?` : ''}`, EXAMPLE)
}

const EXAMPLE = 'Example: {"project": "bookshop", "environment": "staging"}. The environment is optional'
