// A server that runs nothing: it writes down each command and answers from a table.
import type { Command } from '../src/commands/command.ts'
import { listFolders, removeFolders } from '../src/commands/environment-folders.ts'
import { type Finished, type Host, localGit, type RunOptions } from '../src/remote/host.ts'
import { cancelCommand, followCommand, startCommand } from '../src/remote/steps/step-scripts.ts'

/** What a command ends with, or what it ends with each time, the last as often as it is asked; a function may also throw. */
export type FakeAnswer =
  | Partial<FakeEnd>
  | readonly Partial<FakeEnd>[]
  | ((options: RunOptions) => Partial<FakeEnd> | Promise<Partial<FakeEnd>>)
type FakeEnd = { readonly exitCode: number; readonly stdout: string; readonly stderr: string }

/**
 * Answers by the beginning of the line, the longest first; a line that the table does not know ends well. `lines` gets what was run,
 * in order: of a durable step `start` (and `follow` with it), `follow` or `cancel` and its folder, of orphans `list` or `remove`
 * and their paths, of a file with secrets `write` and its path; `find home`; `find ports` and `find owners` of what listens; of
 * another constant script its name and words. `files`, where they are given, are those of the server, by path: written and read.
 */
export function createFakeHost(
  answers: Readonly<Record<string, FakeAnswer>>,
  lines: string[],
  files?: Map<string, string>,
): Host {
  const beginnings = Object.keys(answers).sort((a, b) => b.length - a.length)
  const asked = new Map<string, number>()
  const answer = async (line: string, options: RunOptions): Promise<FakeEnd> => {
    lines.push(line)
    const beginning = beginnings.find((one) => line.startsWith(one)) ?? ''
    const times = asked.get(beginning) ?? 0
    asked.set(beginning, times + 1)
    const end = await endOf(answers[beginning] ?? {}, times, options)
    const usual = (files && endOnFiles(line, files, options)) ?? usualEnd(line)
    return { ...usual, ...end }
  }
  return {
    name: 'fake server',
    git: localGit,
    run: async (command, options = {}) => {
      const line = lineOf(command)
      const end = await answer(line, options)
      // What starts a step follows it too.
      const isStarted = line.startsWith('start ') && end.exitCode === 0
      return finished(isStarted ? await answer(line.replace('start', 'follow'), options) : end, options)
    },
  }
}

function endOf(answer: FakeAnswer, times: number, options: RunOptions): Partial<FakeEnd> | Promise<Partial<FakeEnd>> {
  if (typeof answer === 'function') return answer(options)
  return isSeveral(answer) ? (answer[times] ?? answer.at(-1) ?? {}) : answer
}

const isSeveral = (answer: FakeAnswer): answer is readonly Partial<FakeEnd>[] => Array.isArray(answer)

/** Reading and writing whole files; undefined for what is neither. */
function endOnFiles(line: string, files: Map<string, string>, { input = '' }: RunOptions): FakeEnd | undefined {
  const [, written] = /^write (.+)$/.exec(line) ?? []
  if (written !== undefined) {
    // The length stands in the first line.
    files.set(
      written,
      Buffer.from(input)
        .toString()
        .replace(/^\d+\n/, ''),
    )
    return { exitCode: 0, stdout: '', stderr: '' }
  }
  const [, read] = /^(?:cat|(?:head|tail) -c \d+) -- (.+)$/.exec(line) ?? []
  if (read === undefined) return undefined
  const content = files.get(read)
  return content === undefined
    ? { exitCode: 1, stdout: '', stderr: 'No such file' }
    : { exitCode: 0, stdout: content, stderr: '' }
}

/** What the follow script sends of a step that has printed this and ended. */
export const followed = (printed: string, exitCode = 0): string =>
  `\nshipway-step follows\noutput 0 ${Buffer.byteLength(printed)}\n${printed}exit ${exitCode} ${Buffer.byteLength(printed)} \n`

function usualEnd(line: string): FakeEnd {
  return { exitCode: 0, stdout: line.startsWith('follow ') ? followed('done\n') : '', stderr: '' }
}

async function finished({ exitCode, stdout, stderr }: FakeEnd, { onOutput }: RunOptions): Promise<Finished> {
  await onOutput?.(Buffer.from(stdout))
  return { exitCode, stdout: Buffer.from(onOutput ? '' : stdout), stderr: Buffer.from(stderr) }
}

function lineOf(command: Command): string {
  const name = stepScripts.get(command[2] ?? '')
  if (command[3] === 'shipway-write') return `write ${command[4]}`
  if (command[3] === 'shipway-find-home') return 'find home'
  if (command[3] === 'shipway-used-ports') return 'find ports'
  if (command[3] === 'shipway-socket-owners') return `find owners ${command.slice(4).join(' ')}`
  if (name === undefined) return command[0] === 'sh' && command[3] ? scriptLine(command) : command.join(' ')
  return [name, ...(name === 'list' || name === 'remove' ? command.slice(4) : [command[4]])].join(' ')
}

/** A word that is a text of its own, such as a script or a format, is left out. */
function scriptLine([, , , name = '', ...words]: Command): string {
  const shown = words.map((word) => (word.includes('\n') || word.length > MOST_SHOWN ? '…' : word))
  return [name.replace(/^shipway-/, ''), ...shown].join(' ')
}

const MOST_SHOWN = 200

const session = { from: 0, bytes: 1, polls: 1, quickPolls: 1 }
const stepScripts = new Map([
  [startCommand('/', { input: Buffer.alloc(0), timeoutMs: 0, account: '' }, session)[2], 'start'],
  [followCommand('/', session)[2], 'follow'],
  [cancelCommand('/')[2], 'cancel'],
  [listFolders('/')[2], 'list'],
  [removeFolders('/', [])[2], 'remove'],
])
