// What a machine and its containers use: the script that reads all of it, and the disks alone.
import type { Command } from './command.ts'
import { loadCommented, loadScript } from './script.ts'

export const statsScript = loadScript(import.meta.url, 'stats')

/** The same as people read it, for a program that stays on a machine. */
export const commentedStatsScript = (): string => loadCommented(import.meta.url, 'stats')

/** One line each, in kibibytes: the root disk, Docker's disk and that of the home folder. */
export const measureDisks: Command = ['df', '-Pk', '/', '/var/lib', '.']
