// Measures disks.
import type { Command } from './command.ts'

/** One line each, in kibibytes: the root disk, Docker's disk and that of the home folder. */
export const measureDisks: Command = ['df', '-Pk', '/', '/var/lib', '.']
