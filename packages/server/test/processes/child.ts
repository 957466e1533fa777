// Starts a program of this folder and reads what it prints, line by line.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export type Child = { readonly pid: number; readonly firstLine: Promise<string>; kill(): Promise<void> }

export function startChild(program: string, ...words: string[]): Child {
  const file = fileURLToPath(new URL(program, import.meta.url))
  const child = spawn(process.execPath, [file, ...words], { stdio: ['pipe', 'pipe', 'inherit'] })
  return { pid: child.pid ?? 0, firstLine: readFirstLine(child), kill: () => killNow(child) }
}

async function readFirstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('The child has no output')
  for await (const line of createInterface({ input: child.stdout })) return line
  throw new Error('The child ended without a word')
}

async function killNow(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}
