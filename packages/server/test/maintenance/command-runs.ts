// Runs of `shipway-server` within the test, with what they print.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/config.ts'
import { runServerCommand } from '../../src/maintenance/run-server-command.ts'

export type Run = { readonly exitCode: number; readonly out: string; readonly notes: string }

export async function runServer(
  settings: Readonly<Record<string, string | undefined>>,
  words: readonly string[],
  { input = '', now = Date.now() }: { readonly input?: string; readonly now?: number } = {},
): Promise<Run> {
  const out: string[] = []
  const notes: string[] = []
  const voice = { say: (line: string) => void out.push(line), note: (line: string) => void notes.push(line) }
  const io = () => ({ ...voice, config: readConfig(settings), readInput: async () => input, clock: () => now })
  const exitCode = await runServerCommand(words, io, voice)
  return { exitCode, out: out.join('\n'), notes: notes.join('\n') }
}

/** A folder of its own that goes with `using`. */
export function makeFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'shipway-maintenance-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
