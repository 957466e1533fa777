import { expect, test } from 'vitest'
import { localGit, type RunOptions, withSignal } from './host.ts'

function spy() {
  const given: (RunOptions | undefined)[] = []
  const finished = { exitCode: 0, stdout: Buffer.of(), stderr: Buffer.of() }
  const host = {
    name: 'harbor',
    git: localGit,
    run: async (_command: readonly string[], options?: RunOptions) => {
      given.push(options)
      return finished
    },
  }
  return { host, given }
}

test.each(['own', 'joined'] as const)('a command ends with the %s signal', async (which) => {
  const { host, given } = spy()
  const signals = { own: new AbortController(), joined: new AbortController() }
  await withSignal(host, signals.joined.signal).run(['true'], { timeoutMs: 5, signal: signals.own.signal })
  expect(given[0]).toMatchObject({ timeoutMs: 5 })
  expect(given[0]?.signal?.aborted).toBe(false)
  signals[which].abort()
  expect(given[0]?.signal?.aborted).toBe(true)
})

test('without a signal the host stays as it is', () => {
  const { host } = spy()
  expect(withSignal(host, undefined)).toBe(host)
})
