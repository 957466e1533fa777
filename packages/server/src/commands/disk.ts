// The words that measure disks.
import type { Command } from './command.ts'

/** In kibibytes, a line for each: the system's, the one that Docker keeps its things on, and that of the home. */
export const measureDisks: Command = ['df', '-Pk', '/', '/var/lib', '.']
