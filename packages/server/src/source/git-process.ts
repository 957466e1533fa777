// Runs git on the platform; nothing else of the source does. What it reads was written by strangers, so its memory is bounded. It runs in
// shells that stay open, since a process that the platform starts itself holds up everybody for some milliseconds.
import type { Command } from '../commands/command.ts'
import { withinMemory } from '../commands/git.ts'
import type { Finished } from '../remote/host.ts'
import { createLocalShells } from '../remote/local-shells.ts'
import type { ProcessOptions } from '../remote/process.ts'

export type GitProcessOptions = ProcessOptions

/**
 * For what talks to somebody else. git that fails does not wait for its ssh, which whoever it talks to can keep alive: it would write into
 * what git says next, to somebody else. Questions to a mirror alone have nobody to talk to.
 */
export const runGitProcess = (command: Command, options: GitProcessOptions): Promise<Finished> =>
  run(command, { ...options, isSpentByFailure: true })

export const runGitAlone = (command: Command, options: GitProcessOptions): Promise<Finished> => run(command, options)

/** Nobody closes them: they end with the platform, and hold nobody up until then. */
const shells = createLocalShells()

function run(
  command: Command,
  { environment = {}, cwd, ...options }: GitProcessOptions & { readonly isSpentByFailure?: boolean },
): Promise<Finished> {
  const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  const place = cwd === undefined ? [] : [`--chdir=${cwd}`]
  return shells.run(withinMemory(['env', ...place, ...settings, ...command]), options)
}
