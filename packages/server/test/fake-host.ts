// A server that runs nothing: it writes down each command and answers from a table.
import type { Command } from '../src/commands/command.ts'
import { listFolders, removeFolders } from '../src/commands/environment-folders.ts'
import type { Finished, Host, RunOptions } from '../src/remote/host.ts'
import { cancelCommand, followCommand, startCommand } from '../src/remote/steps/step-scripts.ts'

/** What a command ends with; a function may also throw, or do something first. */
export type FakeAnswer = Partial<FakeEnd> | ((options: RunOptions) => Partial<FakeEnd> | Promise<Partial<FakeEnd>>)
type FakeEnd = { readonly exitCode: number; readonly stdout: string; readonly stderr: string }

/**
 * Answers by the beginning of the line, the longest first; a line that the table does not know ends well. `lines` gets what was run,
 * in order: of a durable step `start`, `follow` or `cancel` and its folder, of leftovers `list` or `remove`
 * and their paths, of a file with secrets `write` and its path; `find home`; `look at ports` and `find owners` of what listens.
 */
export function createFakeHost(answers: Readonly<Record<string, FakeAnswer>>, lines: string[]): Host {
  const beginnings = Object.keys(answers).sort((a, b) => b.length - a.length)
  return {
    name: 'fake server',
    git: { address: (path) => path, environment: {} },
    run: async (command, options = {}) => {
      const line = lineOf(command)
      lines.push(line)
      const answer = answers[beginnings.find((beginning) => line.startsWith(beginning)) ?? ''] ?? {}
      const end = typeof answer === 'function' ? await answer(options) : answer
      return finished({ ...usualEnd(line), ...end }, options)
    },
  }
}

/** What the follow script sends of a step that has printed this and ended. */
export const followed = (printed: string, exitCode = 0): string =>
  `\nshipway-step follows\noutput 0 ${Buffer.byteLength(printed)}\n${printed}exit ${exitCode} ${Buffer.byteLength(printed)} \n`

function usualEnd(line: string): FakeEnd {
  const said = line.startsWith('start ')
    ? 'shipway-step started\n'
    : line.startsWith('follow ')
      ? followed('done\n')
      : ''
  return { exitCode: 0, stdout: said, stderr: '' }
}

async function finished({ exitCode, stdout, stderr }: FakeEnd, { onOutput }: RunOptions): Promise<Finished> {
  await onOutput?.(Buffer.from(stdout))
  return { exitCode, stdout: Buffer.from(onOutput ? '' : stdout), stderr: Buffer.from(stderr) }
}

function lineOf(command: Command): string {
  const name = stepScripts.get(command[2] ?? '')
  if (command[3] === 'shipway-write') return `write ${command[4]}`
  if (command[3] === 'shipway-find-home') return 'find home'
  if (command[3] === 'shipway-used-ports') return 'look at ports'
  if (command[3] === 'shipway-socket-owners') return `find owners ${command.slice(4).join(' ')}`
  if (name === undefined) return command.join(' ')
  return [name, ...(name === 'list' || name === 'remove' ? command.slice(4) : [command[4]])].join(' ')
}

const limits = { bytes: 1, polls: 1, quickPolls: 1 }
const stepScripts = new Map([
  [startCommand('/', { bytes: 0, timeoutMs: 0, user: '' })[2], 'start'],
  [followCommand('/', 0, limits)[2], 'follow'],
  [cancelCommand('/')[2], 'cancel'],
  [listFolders('/')[2], 'list'],
  [removeFolders('/', [])[2], 'remove'],
])
