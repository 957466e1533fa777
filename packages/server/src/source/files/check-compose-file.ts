// Judges one compose file of a commit. The time that YAML takes is the file's to choose, so a large one is read in a thread of its own.
import { type ExplicitWrite, explicitWrites } from '@shipway/rules/compose/mounts/explicit-writes'
import { type ComposeSource, checkComposeSource } from '@shipway/rules/compose/policy/check-compose-source'
import { readComposeDocument } from '@shipway/rules/compose/read-compose-document'
import { UnreadableCompose } from '@shipway/rules/compose/read-compose-model'
import { CheckFailed, ChecksFailed, StepFault } from '../../domain/tasks/step-fault.ts'
import { runInThread, ThreadStopped } from '../../threads/run-in-thread.ts'

type ComposeFile = ComposeSource & { readonly content: Uint8Array; readonly links: readonly string[] }

/** `files`: those that it draws in, each once. `writes`: where it says that a mount may be written to. */
type Checked = { readonly files: readonly ComposeSource[]; readonly writes: readonly ExplicitWrite[] }

/** Throws a StepFault for what is no compose file, and for one that may not be read by Compose. */
export async function checkComposeFile(file: ComposeFile): Promise<Checked> {
  const answer =
    file.content.length <= mostAtOnce
      ? answerFor(file)
      : await runInThread<ComposeAnswer>({ program, input: file }, limits).catch((error: unknown) => {
          if (!(error instanceof ThreadStopped)) throw error
          throw CheckFailed(`${file.file} takes too long to read. Make it smaller, or repeat less in it`, error)
        })
  if ('fault' in answer) throw CheckFailed(answer.fault)
  return answer
}

type ComposeAnswer = Checked | { readonly fault: string }

/** What it throws about the file becomes an answer, in words: an error loses its kind on its way out of a thread. */
export function answerFor(file: ComposeFile): ComposeAnswer {
  try {
    return check(file)
  } catch (error) {
    if (error instanceof StepFault || error instanceof UnreadableCompose) return { fault: error.message }
    throw error
  }
}

function check({ content, file, folder, links }: ComposeFile): Checked {
  const document = readComposeDocument(content, file)
  const { refusals, files } = checkComposeSource(document, { file, folder }, new Set(links))
  if (refusals.length > 0) throw ChecksFailed(refusals.map(({ sentence }) => sentence))
  const drawn = [...new Map(files.map((one) => [`${one.folder}\n${one.file}`, one])).values()]
  const writes = explicitWrites(document, { file, folder })
  for (const [what, count] of Object.entries({ 'other files': drawn.length, 'mounts to write to': writes.length }))
    if (count > MOST_NAMED) throw CheckFailed(`${file} names more than ${MOST_NAMED} ${what}. Take some out`)
  return { files: drawn, writes }
}

/** Many times what is deployed. */
const MOST_NAMED = 1000

const mostAtOnce = 8 * 1024
const program = new URL('./compose-file-thread.ts', import.meta.url)
const limits = { computeMs: 20_000, memoryMb: 192 }
