// The script that reads what a machine and its containers use.
import { loadCommented, loadScript } from './script.ts'

export const statsScript = loadScript(import.meta.url, 'stats')

/** The same as people read it, for a program that stays on a machine. */
export const commentedStatsScript = (): string => loadCommented(import.meta.url, 'stats')
