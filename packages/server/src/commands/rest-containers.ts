// The words that stop containers for good: they stay, with what they hold, and nothing starts them again.
import type { Command } from './command.ts'

export const restContainers = (ids: readonly string[]): Command => ['sh', '-c', restScript, 'rest', ...ids]

/** A machine that starts again starts what had to run always. */
const restScript = `docker update --restart no -- "$@" >/dev/null && docker stop -- "$@" >/dev/null`
