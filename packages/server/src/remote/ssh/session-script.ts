/**
 * What runs around a command on a server, so that its end can be told from the end of the connection.
 *
 * ssh's exit code 255 may be its own or the command's. So the script writes a word that only this run knows to standard
 * error: first with the process group, and after an exit code of 255 once more. What stands between is the command's.
 * When ssh finds no connection to share, it says `{word}-none`, and nothing ran.
 */
import type { Command } from '../../commands/command.ts'
import type { Finished } from '../host.ts'

/** The command with the script around it. `word` must be new and unguessable for each run. */
export function inSession(command: Command, word: string): Command {
  return ['sh', '-c', script, word, ...command]
}

// In /proc/<pid>/stat the fifth value is the process group; the second, the name, is that of a shell and has no blanks.
const script = `read -r pid name state parent group rest </proc/$$/stat
printf '%s %s\\n' "$0" "$group" >&2
"$@"
code=$?
[ "$code" -ne 255 ] || printf '%s' "$0" >&2
exit "$code"`

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
  return ['sh', '-c', endScript, 'sh', group]
}

const endScript = `kill -s TERM -- "-$1" 2>/dev/null || exit 0
for turn in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
  kill -s 0 -- "-$1" 2>/dev/null || exit 0
  sleep 0.2
done
kill -s KILL -- "-$1" 2>/dev/null
exit 0`
