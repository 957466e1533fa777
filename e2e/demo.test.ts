// `npm run demo` beside another platform on the same machine: it leaves that platform's application alone, and everything in one folder.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hasSshd } from '../packages/server/test/sshd.ts'
import { beginJourney, ended } from './journey.ts'

const root = join(import.meta.dirname, '..')
const example = join(root, 'examples/hello-manual')
let temporary: string
let home: string
let demo: ChildProcess | undefined

beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'demo-'))
  home = mkdtempSync(join(tmpdir(), 'home-'))
})
afterEach(async () => {
  await endDemo('SIGKILL')
  for (const folder of [temporary, home]) rmSync(folder, { recursive: true, force: true })
})

describe.skipIf(!hasSshd)('the demo', () => {
  test('leaves the application of another platform alone, and everything in the folder that it names', async () => {
    const other = await beginJourney('embedded', 'local', { settings: { HOME: home } })
    try {
      // The same application, project and environment as in the demo, so the same domain.
      other.commit(
        Object.fromEntries(readdirSync(example).map((name) => [name, readFileSync(join(example, name), 'utf8')])),
      )
      const id = await other.createEnvironment('main')
      const { id: taskId } = await other.client.startDeployment({ params: { id } })
      expect(await ended(other.client, taskId)).toMatchObject({ status: 'succeeded' })
      const [pidFile = ''] = globSync('.local/state/hello-manual/*/pid', { cwd: home })
      const pid = Number(readFileSync(join(home, pidFile), 'utf8'))

      const lines = await startDemo()
      expect(process.kill(pid, 0), 'the other application runs').toBe(true)
      const folder = /is in (\S+), which goes/.exec(lines.join('\n'))?.[1] ?? ''
      expect(readdirSync(temporary).map((name) => join(temporary, name))).toEqual([folder])
      expect(readdirSync(home)).toEqual(['.local'])
      expect(globSync('.local/state/hello-manual/*/pid', { cwd: home })).toEqual([pidFile])

      await endDemo('SIGINT')
      expect(existsSync(folder)).toBe(false)
      expect(process.kill(pid, 0), 'the other application runs').toBe(true)
      const removed = await other.client.deleteEnvironment({ params: { id } })
      expect(await ended(other.client, removed.id)).toMatchObject({ status: 'succeeded' })
    } finally {
      await other.stop()
    }
  })
})

/** Starts it as `npm run demo` does, and returns what it said until the application answers. */
async function startDemo(): Promise<readonly string[]> {
  const child = spawn(process.execPath, ['tools/demo.ts'], {
    cwd: root,
    env: { ...process.env, TMPDIR: temporary, HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  demo = child
  const lines: string[] = []
  await new Promise<void>((resolve, reject) => {
    const reader = createInterface({ input: child.stdout })
    reader.on('line', (line) => {
      lines.push(line)
      if (line.includes('a token for it')) resolve()
    })
    reader.on('close', () => reject(new Error(`The demo ended early:\n${lines.join('\n')}`)))
  })
  return lines
}

async function endDemo(signal: NodeJS.Signals): Promise<void> {
  if (!demo || demo.exitCode !== null || demo.signalCode !== null) return
  const exited = once(demo, 'exit')
  demo.kill(signal)
  await exited
}
