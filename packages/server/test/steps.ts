// Durable steps in tests: hosts with each shell as `sh`, folders that are gone afterwards, and the output read to its end.
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Host, localGit } from '../src/remote/host.ts'
import { runProcess } from '../src/remote/process.ts'
import { cancelStep, type DurableStep, startOf } from '../src/remote/steps/durable-step.ts'
import type { StepEnd } from '../src/remote/steps/follow-frames.ts'
import { followStep } from '../src/remote/steps/follow-step.ts'
import { startCommand } from '../src/remote/steps/step-scripts.ts'

/** Folders below one that `cleanUp` removes, after it has ended whatever still runs in them. */
export type Workshop = {
  readonly root: string
  readonly hosts: readonly { readonly shell: string; readonly host: Host }[]
  folder(): string
  cleanUp(): Promise<void>
}

export function openWorkshop(): Workshop {
  const root = mkdtempSync(join(tmpdir(), 'shipway-steps-'))
  const hosts = ['dash', 'bash'].map((shell) => ({ shell, host: hostWith(shell, mkdtempSync(join(root, 'shell-'))) }))
  const folders: string[] = []
  return {
    root,
    hosts,
    folder() {
      const folder = join(root, 'tasks', String(folders.length))
      folders.push(folder)
      return folder
    },
    async cleanUp() {
      const [first] = hosts
      if (first) await Promise.all(folders.map((folder) => cancelStep(first.host, folder)))
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Starts a step and looks at nothing of it. Was it started by this? */
export async function startStep(host: Host, step: DurableStep): Promise<{ isNew: boolean }> {
  const start = startOf(step)
  const session = { from: 0, bytes: 1, polls: 0, quickPolls: 0 }
  const { exitCode, stdout, stderr } = await host.run(startCommand(step.folder, start, session), {
    input: start.input,
  })
  if (exitCode !== 0) throw new Error(`not started: ${stderr}`)
  return { isNew: stdout.includes('shipway-step started\n') }
}

/** Everything from an offset on, and how it ended. Gaps are refused: the tests that expect one look themselves. */
export async function readStep(host: Host, folder: string, fromOffset = 0): Promise<{ end: StepEnd; output: Buffer }> {
  const pieces: Buffer[] = []
  let expected = fromOffset
  const onOutput = (bytes: Buffer, offset: number) => {
    if (offset !== expected) throw new Error(`output at ${offset} where ${expected} was next`)
    expected += bytes.length
    pieces.push(bytes)
  }
  const end = await followStep(host, folder, { fromOffset, onOutput })
  return { end, output: Buffer.concat(pieces) }
}

/** What lies on the disk so far. */
export function printed(folder: string): string {
  const file = join(folder, 'output')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** Resolves when the condition holds; rejects when it does not come to hold. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const start = performance.now()
  while (!(await condition())) {
    const waitedMs = performance.now() - start
    if (waitedMs > 240_000) throw new Error(`never came to hold: ${condition}`)
    // To look takes time of what is waited for: the longer that takes, the less often.
    await pause(Math.min(50, 10 + waitedMs / 20))
  }
}

/** This machine, with the given shell where a script asks for `sh`. */
function hostWith(shell: string, programs: string): Host {
  symlinkSync(`/bin/${shell}`, join(programs, 'sh'))
  const environment = { PATH: `${programs}:/usr/sbin:/usr/bin:/sbin:/bin` }
  return {
    name: shell,
    run: (command, options) => runProcess(command, { ...options, environment }),
    git: localGit,
  }
}
