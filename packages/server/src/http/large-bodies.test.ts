// The bodies of requests that hold as much as is taken: the answer stays small, whatever is wrong with them, and other requests do not wait.
import { expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import { longestStopMs } from '../../test/longest-stop.ts'
import { openTestApp } from '../../test/test-app.ts'

const [source] = databases
if (!source) throw new Error('There is no database to test on')

const BYTES = 1_800_000
const fields = (name: (index: number) => string): string => {
  const count = Math.floor(BYTES / `"${name(100_000)}":1,`.length)
  return `{${Array.from({ length: count }, (_, at) => `"${name(at)}":1`).join()}}`
}

test.each([
  ['long unknown fields', fields((at) => 'x'.repeat(200) + at), 422],
  ['more fields than are counted', fields(String), 413],
  ['brackets', '['.repeat(BYTES), 413],
])('1.8 MB of %s are answered with at most fifty faults', async (_, payload, status) => {
  const app = await openTestApp(source)
  try {
    const ask = async () => {
      const answer = await app.app.inject({
        method: 'POST',
        url: '/api/session',
        headers: { host: 'ship.example.com', 'content-type': 'application/json' },
        payload,
      })
      expect(answer.statusCode).toBe(status)
      expect(answer.body.length).toBeLessThan(100_000)
      expect(answer.json().errors?.length ?? 0).toBeLessThanOrEqual(50)
    }
    expect(await longestStopMs(ask)).toBeLessThan(200)
  } finally {
    await app.close()
  }
})
