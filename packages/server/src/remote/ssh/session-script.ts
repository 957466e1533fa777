/**
 * What runs around a command on a server, so that its end can be told from the end of the connection.
 *
 * ssh's exit code 255 may be its own or the command's. So the script writes a word that only this run knows to standard
 * error: first with the process group, and after an exit code of 255 once more. What stands between is the command's.
 * When ssh finds no connection to share, it says `{word}-none`, and nothing ran.
 */
import type { Command } from '../../commands/command.ts'
import { loadScript, shell } from '../../commands/script.ts'
import type { Finished } from '../host.ts'

/** The command with the script around it. `word` must be new and unguessable for each run. */
export function inSession(command: Command, word: string): Command {
  return shell(script, word, ...command)
}

const script = loadScript(import.meta.url, 'session')

/**
 * Options of ssh that take the place of connecting: commands use the shared connection or none. Descriptor 3 keeps the
 * pipe to ssh open until the word is written: ssh kills this command as soon as the pipe closes.
 */
export function withoutConnection(word: string): string[] {
  return ['-o', 'ControlMaster=no', '-o', `ProxyCommand=echo ${word}-none 3>&1 >&2`]
}

/** `none`: nothing ran. `lost`: the connection ended first. */
export function readEnd(word: string, { exitCode, stdout, stderr }: Finished): Finished | 'none' | 'lost' {
  const begin = stderr.indexOf(`${word} `)
  const heading = begin < 0 ? 0 : stderr.indexOf('\n', begin) + 1
  if (exitCode !== 255) return { exitCode, stdout, stderr: stderr.subarray(heading) }
  if (begin < 0 && stderr.includes(`${word}-none`)) return 'none'
  const end = stderr.lastIndexOf(word)
  if (end < heading) return 'lost'
  return { exitCode, stdout, stderr: stderr.subarray(heading, end) }
}

/** Reads the process group out of the standard error while it comes. */
export function createGroupReader(word: string): { hear(bytes: Buffer): void; group(): string | undefined } {
  let said = ''
  return {
    hear: (bytes) => {
      if (said.length < 65_536) said += bytes.toString('latin1')
    },
    group: () => new RegExp(`${word} (\\d+)\n`).exec(said)?.[1],
  }
}

/** Ends a process group: closing a session does not, for sshd lets its processes run on. */
export function endGroup(group: string): Command {
  return shell(endGroupScript, 'sh', group)
}

/** For a shell elsewhere, such as in a container. */
export const endGroupScript = loadScript(import.meta.url, 'end-group')
