// Who may open a live connection when all places are taken. Thousands of connections without sockets, so that they are there at once.
import { LIVE_CLOSE } from '@shipway/api/live'
import { afterEach, expect, test } from 'vitest'
import type { Actor } from '../../domain/people/actor.ts'
import { type ConnectedReader, MOST_READERS, Readers } from './readers.ts'

const open: Readers[] = []
afterEach(async () => {
  for (const readers of open.splice(0)) await readers.close()
})

const actorOf = (userId: number, organizationId: number): Actor => ({
  userId,
  name: 'A user',
  isPlatformAdmin: false,
  roles: new Map([[organizationId, 'viewer']]),
  scopes: new Set(['read']),
  credential: { kind: 'session', id: 1, expiresAt: 0 },
  origin: { address: '127.0.0.1', requestId: 'test' },
})

type Connection = ConnectedReader & { readonly closes: (readonly [number, string])[]; isCut: boolean }
const connection = (): Connection => ({
  closes: [],
  isCut: false,
  checkDeadlines: () => undefined,
  heartbeat: () => undefined,
  check: async () => undefined,
  close(code, reason) {
    this.closes.push([code, reason])
  },
  terminate() {
    this.isCut = true
  },
})

/** As many users of one organization as it takes, each with all that a user may have. */
function fill(readers: Readers, organizationId: number): readonly Connection[] {
  const connections: Connection[] = []
  for (let user = 1; readers.size < MOST_READERS; user++) {
    const whose = { actor: actorOf(user, organizationId), network: 'a' }
    while (readers.size < MOST_READERS && !readers.refuse(whose)) {
      const one = connection()
      readers.add(one, whose)
      connections.push(one)
    }
  }
  return connections
}

test('one organization cannot keep another out', () => {
  const readers = new Readers(() => 0)
  open.push(readers)
  const taken = fill(readers, 1)
  expect(readers.size).toBe(MOST_READERS)
  const actor = actorOf(1_000, 2)
  expect(readers.refuse({ actor, network: 'b' })).toBeUndefined()
  readers.add(connection(), { actor, network: 'b' })
  expect(readers.size).toBe(MOST_READERS)
  const displaced = taken.filter(({ closes }) => closes.length > 0)
  expect(displaced.map(({ closes }) => closes)).toEqual([[[LIVE_CLOSE.tooMany, expect.stringContaining('taken')]]])
  expect(taken.indexOf(displaced[0] ?? connection())).toBe(0)
  // Within the organization a user with none displaces one with many, and who has as many as all others waits.
  expect(readers.refuse({ actor: actorOf(1_001, 1), network: 'b' })).toBeUndefined()
  expect(readers.refuse({ actor: actorOf(2, 1), network: 'b' })).toEqual({ reason: 'user', waitSeconds: 60 })
})

test('strangers displace no signed-in reader, and are admitted while they are few', () => {
  const readers = new Readers(() => 0)
  open.push(readers)
  const taken = fill(readers, 1)
  for (let count = 0; count < 20; count++) {
    expect(readers.refuse({ actor: undefined, network: 'a' })).toBeUndefined()
    readers.add(connection(), { actor: undefined, network: 'a' })
  }
  expect(readers.refuse({ actor: undefined, network: 'a' })).toEqual({ reason: 'strangers', waitSeconds: 60 })
  expect(taken.every(({ closes }) => closes.length === 0)).toBe(true)
})

test('a client that opens and closes in a loop is asked to wait', () => {
  const readers = new Readers(() => 0)
  open.push(readers)
  const whose = { actor: actorOf(1, 1), network: 'a' }
  let opened = 0
  while (!readers.refuse(whose) && opened < 1_000) {
    const one = connection()
    readers.add(one, whose)
    readers.remove(one)
    opened++
  }
  expect(opened).toBe(240)
  expect(readers.refuse(whose)?.reason).toBe('user')
})
