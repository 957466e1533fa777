// What is in a commit that a `.service.yml` can be made of.
import { type ComposeOutline, outlineCompose } from '../compose/compose-outline.ts'
import { readComposeDocument, UnreadableFile } from '../compose/read-compose-document.ts'
import { exposedPorts } from './exposed-ports.ts'
import { USUAL_NAMES } from './find-compose-source.ts'
import type { CommitContents } from './suggest-service-file.ts'

/** Gives a sentence for what is there and cannot be read. */
type Read = (path: string) => Promise<Uint8Array | string | undefined>

type Outline = (file: { readonly file: string; readonly content: Uint8Array }) => Promise<ComposeOutline | null>

/** `outline` reads a compose file where that is left to a thread. */
export async function readContents(
  read: Read,
  outline: Outline = async (file) => outlineOf(file),
): Promise<CommitContents> {
  for (const file of USUAL_NAMES) {
    const content = await read(file)
    if (content === undefined) continue
    return {
      compose: { file, outline: typeof content === 'string' ? null : await outline({ file, content }) },
      dockerfile: null,
    }
  }
  const dockerfile = await read('Dockerfile')
  if (dockerfile === undefined) return { compose: null, dockerfile: null }
  const ports = typeof dockerfile === 'string' ? [] : exposedPorts(new TextDecoder().decode(dockerfile))
  return { compose: null, dockerfile: { ports } }
}

/** Null where it is no compose file that the platform reads. */
export function outlineOf({ file, content }: Parameters<Outline>[0]): ComposeOutline | null {
  try {
    return outlineCompose(readComposeDocument(content, file))
  } catch (error) {
    if (error instanceof UnreadableFile) return null
    throw error
  }
}
