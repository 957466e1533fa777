// Clients that never read what they asked for, on everything that has a large answer, against the platform's server in a process of its own.
// `npm run bench unread` does the same with 2,000 of them.
import { expect, test } from 'vitest'
import { leaveUnread } from '../../bench/unread.ts'

test('clients that never read take little memory, and nobody waits for them', async () => {
  const results = await leaveUnread('embedded', { connections: 100, requests: 50, holdSeconds: 1 })
  expect(results).toHaveLength(13)
  expect(results.filter(({ grownMb }) => grownMb > 200)).toEqual([])
}, 240_000)
