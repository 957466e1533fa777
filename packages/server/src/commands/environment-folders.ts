// The words that list and remove what tasks have left in the folders of environments on a server.
import type { Command } from './command.ts'

/**
 * Prints one path a line, from the platform's folder on: `environments/{id}`, its `releases/{task}` and `tasks/{task}`, the
 * `tasks/{task}/{step}` that have not ended, and `repositories/{project}.git`. Of these environments, or of all.
 */
export const listFolders = (folder: string, environmentIds?: readonly number[]): Command => [
  'sh',
  ...['-c', listScript, 'list', folder, ...(environmentIds ?? ['*']).map((id) => `environments/${id}`)],
  ...(environmentIds ? [] : ['repositories/*.git']),
]

/** Removes these paths below the platform's folder, and prints those that stay because something works in them. */
export const removeFolders = (folder: string, paths: readonly string[]): Command => [
  'sh',
  ...['-c', removeScript, 'remove', folder, ...paths],
]

/** Removes what is left in the folder of an environment, such as its variables, unless a task has something there. */
export const emptyFolder = (folder: string, environmentId: number): Command => [
  'sh',
  ...['-c', emptyScript, 'empty', `${folder}/environments/${environmentId}`],
]

/** The words are patterns of our own; names with anything but letters, digits, dots and strokes are nobody's business here. */
const listScript = `cd -- "$1" 2>/dev/null || exit 0
shift
for pattern do
  for place in $pattern; do
    [ -e "$place" ] || continue
    echo "$place"
    for entry in "$place"/releases/* "$place"/tasks/*; do
      [ -e "$entry" ] || continue
      echo "$entry"
    done
    for step in "$place"/tasks/*/*; do
      [ -d "$step" ] && [ ! -e "$step/exit" ] && echo "$step"
    done
  done
done
exit 0
`

/**
 * A release in which a process works is left: a command of a manual deployment may have started what serves there. Two
 * platforms may do this at once, so what is gone in the end was removed.
 */
const removeScript = `cd -- "$1" 2>/dev/null || exit 0
shift
here=$(pwd -P)
working="$(ls -l /proc/[0-9]*/cwd 2>/dev/null)
"
failed=0
for path do
  case $path in
  */releases/*)
    case $working in
    *" -> $here/$path
"* | *" -> $here/$path/"*)
      echo "$path"
      continue
      ;;
    esac
    ;;
  esac
  rm -rf -- "$path" || { [ ! -e "$path" ] || failed=1; }
done
exit "$failed"
`

/** A task that begins makes these two before it puts anything else there. */
const emptyScript = `cd -- "$1" 2>/dev/null || exit 0
rmdir -- releases tasks 2>/dev/null
[ -e releases ] || [ -e tasks ] || find . -mindepth 1 -delete
`
