// The processes of this machine as anybody on it sees them: their words, as /proc tells.
import { readdirSync, readFileSync } from 'node:fs'

export function listProcesses(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .flatMap((pid) => wordsOf(pid))
}

function wordsOf(pid: string): string[] {
  try {
    return [readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')]
  } catch {
    // It has ended since it was listed.
    return []
  }
}
