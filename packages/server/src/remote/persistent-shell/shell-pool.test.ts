import { afterEach, expect, test, vi } from 'vitest'
import { CommandStopped } from '../host.ts'
import type { PersistentShell } from './persistent-shell.ts'
import { createShellPool } from './shell-pool.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

type Answer = 'answers' | 'is silent' | 'is lost' | 'fails'

/** A shell, and how it reacts to a check. */
function fakeShell(answer: Answer) {
  const closed = vi.fn<() => Promise<void>>(async () => undefined)
  const limits: (number | undefined)[] = []
  const shell: PersistentShell = {
    group: '1',
    ended: new Promise(() => undefined),
    isOpen: () => true,
    run: async (_command, { timeoutMs }) => {
      limits.push(timeoutMs)
      if (answer === 'is lost') return 'lost'
      if (answer === 'fails') throw new Error('Not what a shell says')
      // Stands for the timeout of a real shell.
      if (answer === 'is silent')
        return new Promise((_, reject) => {
          if (timeoutMs !== undefined) reject(new CommandStopped('timed_out'))
        })
      return { exitCode: 0, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) }
    },
    close: closed,
  }
  return { shell, closed, limits }
}

async function poolWith(shell: PersistentShell) {
  const pool = createShellPool({ open: async () => shell })
  await pool.open()
  pool.giveBack(shell)
  return pool
}

/** As if the last command were long ago. */
const wait = () => {
  const now = performance.now()
  vi.spyOn(performance, 'now').mockReturnValue(now + 60_000)
}

test('a recently used shell is returned without a check', async () => {
  const { shell, limits } = fakeShell('is silent')
  const pool = await poolWith(shell)
  expect(await pool.takeFree()).toBe(shell)
  expect(limits).toEqual([])
})

test('a shell that was idle for long is checked first', async () => {
  const { shell, limits } = fakeShell('answers')
  const pool = await poolWith(shell)
  wait()
  expect(await pool.takeFree()).toBe(shell)
  expect(limits).toHaveLength(1)
})

test.each<Answer>(['is silent', 'fails'])('a shell that %s then is closed', async (answer) => {
  const { shell, closed } = fakeShell(answer)
  const pool = await poolWith(shell)
  wait()
  expect(await pool.takeFree()).toBeUndefined()
  expect(closed).toHaveBeenCalledOnce()
})

test('a lost shell is dropped', async () => {
  const { shell } = fakeShell('is lost')
  const pool = await poolWith(shell)
  wait()
  expect(await pool.takeFree()).toBeUndefined()
})
