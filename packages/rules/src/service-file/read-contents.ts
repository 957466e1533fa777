// Reads what is needed to suggest a `.service.yml` for a commit.
import { type ComposeOutline, outlineCompose } from '../compose/compose-outline.ts'
import { readComposeDocument, UnreadableFile } from '../compose/read-compose-document.ts'
import { exposedPorts } from './exposed-ports.ts'
import { USUAL_NAMES } from './find-compose-source.ts'
import type { CommitContents } from './suggest-service-file.ts'

/** Returns a sentence for a file that exists and cannot be read. */
type Read = (path: string) => Promise<Uint8Array | string | undefined>

type Outline = (file: { readonly file: string; readonly content: Uint8Array }) => Promise<ComposeOutline | null>

/** `outline` reads a compose file, perhaps in a thread. */
export async function readContents(
  read: Read,
  outline: Outline = async (file) => outlineOf(file),
): Promise<CommitContents> {
  for (const file of USUAL_NAMES) {
    const content = await read(file)
    if (content === undefined) continue
    const found = typeof content === 'string' ? null : await outline({ file, content })
    return { compose: { file, outline: found && (await withExposed(found, read)) }, dockerfile: null }
  }
  const dockerfile = await read('Dockerfile')
  if (dockerfile === undefined) return { compose: null, dockerfile: null }
  return { compose: null, dockerfile: { ports: portsIn(dockerfile) } }
}

const portsIn = (dockerfile: Uint8Array | string): readonly number[] =>
  typeof dockerfile === 'string' ? [] : exposedPorts(new TextDecoder().decode(dockerfile))

/** Limits the number of files to read. */
const MOST_DOCKERFILES = 10

/** For a built service without ports in the compose file, the Dockerfile may name them. */
async function withExposed({ services }: ComposeOutline, read: Read): Promise<ComposeOutline> {
  const silent = services.filter(({ ports, dockerfile }) => ports.length === 0 && dockerfile !== null)
  const paths = [...new Set(silent.flatMap(({ dockerfile }) => dockerfile ?? []))].slice(0, MOST_DOCKERFILES)
  const exposed = new Map<string, readonly number[]>()
  for (const path of paths) exposed.set(path, portsIn((await read(path)) ?? ''))
  return {
    services: services.map((service) =>
      silent.includes(service) ? { ...service, ports: exposed.get(service.dockerfile ?? '') ?? [] } : service,
    ),
  }
}

/** Null if the platform cannot read it as a compose file. */
export function outlineOf({ file, content }: Parameters<Outline>[0]): ComposeOutline | null {
  try {
    return outlineCompose(readComposeDocument(content, file))
  } catch (error) {
    if (error instanceof UnreadableFile) return null
    throw error
  }
}
