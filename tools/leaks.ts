// Fails a test file that leaves something running: a connection, a server, a timer or a process.
import { afterAll, expect } from 'vitest'

/** The kinds that a test can leave behind; the pipes to the test runner are always there. */
const watched = new Set([
  'TCPSocketWrap',
  'TCPServerWrap',
  'TLSWrap',
  'UDPWrap',
  'PipeServerWrap',
  'ProcessWrap',
  'FSEventWrap',
  'StatWatcher',
  'MessagePort',
  'Timeout',
])

const patienceMs = 15_000
const before = activeResources()

// Registered before the hooks of the test file, so it runs after all of them.
afterAll(async () => {
  const deadline = Date.now() + patienceMs
  // Closed handles need some turns of the event loop to disappear.
  while (leaked().length > 0 && Date.now() < deadline) await new Promise((done) => setTimeout(done, 10).unref())
  expect(leaked(), 'left running at the end of this file: close or stop it in afterAll or afterEach').toEqual([])
})

function leaked(): string[] {
  return [...activeResources()].flatMap(([kind, count]) => {
    const more = count - (before.get(kind) ?? 0)
    return more > 0 ? [`${more} more ${kind} than at the start`] : []
  })
}

/** Handles that keep the process alive, by kind, without those of every test run. */
function activeResources(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) {
    if (watched.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return counts
}
