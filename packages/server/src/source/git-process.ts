// Runs git on the platform; no other module of the source does. Strangers wrote what git reads, so its memory is limited. It runs in shells
// that stay open, since starting a process blocks the platform's event loop for some milliseconds.
//
// git runs with a limit on its memory, because a pack of kilobytes can unpack to terabytes. This is the only module of the platform that
// starts git.
import type { Command } from '../commands/command.ts'
import { withinMemory } from '../commands/git.ts'
import type { Finished } from '../remote/host.ts'
import { createLocalShells } from '../remote/local-shells.ts'
import type { ProcessOptions } from '../remote/process.ts'

export type GitProcessOptions = ProcessOptions

/**
 * For commands with a connection. A failed git does not wait for its ssh, which the remote host can keep alive, and which could write into
 * the output of the shell's next command. So the shell is not used again. Commands on a mirror alone have no such process.
 */
export const runGitProcess = (command: Command, options: GitProcessOptions): Promise<Finished> =>
  run(command, { ...options, isSpentByFailure: true })

export const runGitOffline = (command: Command, options: GitProcessOptions): Promise<Finished> => run(command, options)

/** Never closed: they end with the platform, and do not keep it alive. */
const shells = createLocalShells()

function run(
  command: Command,
  { environment = {}, cwd, ...options }: GitProcessOptions & { readonly isSpentByFailure?: boolean },
): Promise<Finished> {
  const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  const place = cwd === undefined ? [] : [`--chdir=${cwd}`]
  return shells.run(withinMemory(['env', ...place, ...settings, ...command]), options)
}
