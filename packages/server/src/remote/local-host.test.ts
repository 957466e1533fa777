import { afterEach, expect, test, vi } from 'vitest'
import { USUAL_LIMIT_MS } from './host.ts'
import { createLocalHost } from './local-host.ts'

afterEach(() => vi.useRealTimers())

test('a command that never ends is ended, also where nobody said how long it may take', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const running = createLocalHost('here').run(['sleep', '1000'])
  const ended = expect(running).rejects.toMatchObject({ name: 'CommandStopped', reason: 'timed_out' })
  vi.advanceTimersByTime(USUAL_LIMIT_MS)
  await ended
})
