// After the platform was killed, none of its processes is left, whatever they do.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { findProcesses, isAlive, listFamilies } from '../../test/process-list.ts'
import { createProcessGuard } from './process-guard.ts'

const program = fileURLToPath(new URL('../../test/processes/start-and-stay.ts', import.meta.url))

/** Starts processes as the platform does, in another process, and returns their ids once all of them run. */
async function start(): Promise<{ readonly platform: ReturnType<typeof spawn>; readonly pids: readonly number[] }> {
  const platform = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = await once(createInterface({ input: platform.stdout }), 'line')
  return { platform, pids: JSON.parse(String(line)) }
}

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'after %s no process is left that the platform had started',
  async (signal) => {
    const { platform, pids } = await start()
    expect(pids).toHaveLength(4)
    expect(pids.filter(isAlive)).toEqual(pids)
    const died = once(platform, 'exit')
    platform.kill(signal)
    await died
    await expect.poll(() => pids.filter(isAlive)).toEqual([])
  },
)

test('a guard that was killed is replaced, and the new one knows all processes', async () => {
  const { platform, pids } = await start()
  const findGuards = (): readonly number[] =>
    findProcesses(`shipway-guard`).filter((pid) => parentOf(pid) === platform.pid)
  const [first, ...others] = findGuards()
  expect(others).toEqual([])
  if (first === undefined) throw new Error('There is no guard')
  process.kill(first, 'SIGKILL')
  await expect.poll(() => findGuards().filter((pid) => pid !== first)).toHaveLength(1)
  const died = once(platform, 'exit')
  platform.kill('SIGKILL')
  await died
  await expect.poll(() => pids.filter(isAlive)).toEqual([])
})

test('a guard learns of the start and end of each group once', async () => {
  const lines: string[] = []
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const guard = createProcessGuard(() => ({ send: (line) => void lines.push(line), ended }))
  const leave = guard.watch(1)
  guard.watch(2)
  leave()
  leave()
  expect(lines).toEqual(['+ 1\n', '+ 2\n', '- 1\n'])
  end()
  await ended
  guard.watch(3)
  expect(lines.slice(3)).toEqual(['+ 2\n', '+ 3\n'])
})

const parentOf = (pid: number): number | undefined => listFamilies().find((one) => one.pid === pid)?.parent
