// Judges one compose file of a commit. The time that YAML takes is the file's to choose, so a large one is read in a thread of its own.
import { type ComposeSource, checkComposeSource } from '../domain/compose/check-compose-source.ts'
import { type ExplicitWrite, explicitWrites } from '../domain/compose/explicit-writes.ts'
import { CheckFailed, StepFault } from '../domain/step-fault.ts'
import { runInThread, ThreadStopped } from '../threads/run-in-thread.ts'
import { readComposeDocument } from './read-compose-document.ts'

export type ComposeFile = ComposeSource & { readonly content: Uint8Array; readonly links: readonly string[] }

type Checked = ReturnType<typeof checkComposeSource> & { readonly writes: readonly ExplicitWrite[] }

/** Throws a StepFault for what is no compose file. */
export async function checkComposeFile(file: ComposeFile): Promise<Checked> {
  const answer =
    file.content.length <= mostAtOnce
      ? answerFor(file)
      : await runInThread<Answer>({ program, input: file }, limits).catch((error: unknown) => {
          if (!(error instanceof ThreadStopped)) throw error
          throw CheckFailed(`${file.file} takes too long to read. Make it smaller, or repeat less in it`, error)
        })
  if ('fault' in answer) throw CheckFailed(answer.fault)
  return answer
}

type Answer = Checked | { readonly fault: string }

/** What it throws about the file becomes an answer: an error loses its kind on its way out of a thread. */
export function answerFor({ content, file, folder, links }: ComposeFile): Answer {
  try {
    const document = readComposeDocument(content, file)
    const writes = explicitWrites(document, { file, folder })
    if (writes.length > MOST_WRITES) return { fault: `${file} has more than ${MOST_WRITES} mounts that are written to` }
    return { ...checkComposeSource(document, { file, folder }, new Set(links)), writes }
  } catch (error) {
    if (error instanceof StepFault) return { fault: error.message }
    throw error
  }
}

/** Many times what is deployed. */
const MOST_WRITES = 1000

const mostAtOnce = 8 * 1024
const program = new URL('./compose-file-thread.ts', import.meta.url)
const limits = { computeMs: 20_000, memoryMb: 256 }
