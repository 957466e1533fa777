// Causes that the end of a step shows, whatever it printed.
import type { StepKind } from '@shipway/api/tasks'
import type { Cause, Failure } from './failure.ts'

/** These end a step from outside, so that its exit code says nothing of its own. */
const BY_KIND: Readonly<Partial<Record<StepKind, string>>> = {
  timeout:
    'This took longer than it may. See where the output stops, and make that faster. A step of .service.yml gets a limit ' +
    'of its own by `timeout:` in its entry, such as `timeout: 45m`, within the time that the whole task has',
  server:
    'The server could not be reached. Check that it is on and that the platform can sign in to it, then deploy again',
}

const BY_EXIT_CODE: Readonly<Record<number, string>> = {
  126:
    'Exit code 126 means that a file could not be run: it is not executable, or a folder. Run `git update-index --chmod=+x` ' +
    'on it, commit and push, or run it with `sh`',
  127: 'Exit code 127 means that a command was not found. Install it where the step runs, or correct its name',
  137: 'Exit code 137 means that the process was killed, most often because memory ran out. Use less, or add memory',
  139: 'Exit code 139 means that the program crashed (a segmentation fault). It was often built for another system or C library',
  143: 'Exit code 143 means that the process was asked to end (SIGTERM): look for what stopped it',
}

/** A build ends with 1 and tells in its sentence how the instruction that failed has ended. */
function exitCodeOf({ exitCode, message }: Failure): number | null {
  const [, reported] = /exit code: (\d{1,3})\b/.exec(message ?? '') ?? []
  return reported === undefined ? exitCode : Number(reported)
}

export const endCauses: readonly Cause[] = [
  (failure) => BY_KIND[failure.kind] ?? BY_EXIT_CODE[exitCodeOf(failure) ?? 0],
]
