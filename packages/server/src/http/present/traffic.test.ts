import { expect, test } from 'vitest'
import { createEmbeddedEdge } from '../../edge/embedded-edge.ts'
import { createTrafficReadings } from '../../edge/haproxy/traffic-readings.ts'
import { presentTraffic } from './traffic.ts'

const traffic = createTrafficReadings(Date.parse('2026-01-01T00:00:00Z'))
const edge = createEmbeddedEdge({ isOwnHost: () => false, onFault: () => undefined })
const on = (server: { id: number; edge: 'haproxy' | 'embedded' }) =>
  presentTraffic(
    { embeddedEdge: edge, traffic },
    { id: 7, server: { name: 'one', hostname: 'one.example.com', ...server } },
  )

test('the edge inside the platform counts from the start of the platform', () => {
  expect(on({ id: 1, edge: 'embedded' })).toEqual({
    environment_id: 7,
    requests: 0,
    errors: 0,
    since: '2026-01-01T00:00:00.000Z',
  })
})

test('of a server the last reading is shown, and nothing before there is one', () => {
  expect(on({ id: 2, edge: 'haproxy' }).since).toBeNull()
  const since = Date.parse('2026-02-01T00:00:00Z')
  traffic.note(2, { since, environments: new Map([[7, { requests: 12, errors: 3 }]]) })
  expect(on({ id: 2, edge: 'haproxy' })).toEqual({
    environment_id: 7,
    requests: 12,
    errors: 3,
    since: '2026-02-01T00:00:00.000Z',
  })
  traffic.note(2, { since: null, environments: new Map() })
  expect(on({ id: 2, edge: 'haproxy' })).toMatchObject({ requests: 0, since: null })
})
