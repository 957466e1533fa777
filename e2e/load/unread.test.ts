// Clients that never read the response, on every route with a large one, against the platform's server in its own process. `npm run bench
// unread` does the same with 2,000 of them.
import { expect, test } from 'vitest'
import { leaveUnread } from '../../bench/unread.ts'

test('clients that never read take little memory and delay no other client', async () => {
  const results = await leaveUnread('embedded', { connections: 40, requests: 50, holdSeconds: 1 })
  expect(results).toHaveLength(13)
  expect(results.filter(({ grownMb }) => grownMb > 200)).toEqual([])
  expect(results.filter(({ heldMb }) => heldMb > 100)).toEqual([])
}, 600_000)
