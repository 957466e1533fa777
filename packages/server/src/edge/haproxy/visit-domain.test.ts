// Requests a domain as a visitor of the server would, through a real HAProxy.
import { hash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hasHaproxy } from '../../../test/haproxy.ts'
import { domainTo, type HaproxyEdge, openHaproxyEdge } from '../../../test/haproxy-edge.ts'
import { type Loopback, serve } from '../../../test/loopback.ts'
import { visitDomain } from './visit-domain.ts'

describe.skipIf(!hasHaproxy)('a visit', () => {
  let edge: HaproxyEdge
  let application: Loopback
  let asked: Record<string, unknown>[]

  beforeEach(async () => {
    asked = []
    edge = await openHaproxyEdge()
    application = await serve(({ headers }, res) => {
      asked.push(headers)
      res.statusCode = headers.host === 'known.test' ? 200 : 400
      res.end(headers.host === 'known.test' ? 'Welcome' : 'Invalid shipway-edge visit header')
    })
  })
  afterEach(async () => {
    await edge.close()
    await application.close()
  })
  const visit = (domain: string) => visitDomain(edge.host, edge.folder, domain)
  const known = () => domainTo(application.port, { domain: 'known.test' })

  test('returns the application’s response for that name', async () => {
    await edge.lead(known(), domainTo(application.port))
    expect(await visit('known.test')).toEqual({ status: 200, text: 'Welcome' })
    expect(await visit('app.test')).toEqual({ status: 400, text: 'Invalid shipway-edge visit header' })
    expect(asked).toMatchObject([{ 'x-forwarded-host': 'known.test' }, { 'x-forwarded-host': 'app.test' }])
  })

  test('does not need the environment’s password', async () => {
    await edge.lead({ ...known(), digest: hash('sha256', 'ada:lovelace') })
    expect(await visit('known.test')).toEqual({ status: 200, text: 'Welcome' })
    expect(asked).toMatchObject([{ 'x-forwarded-host': 'known.test', 'x-forwarded-proto': 'http' }])
  })

  test('returns the edge’s page without the application, and nothing without the edge or the route', async () => {
    await edge.lead(known())
    await application.close()
    expect(await visit('known.test')).toBeUndefined()
    await edge.lead(domainTo(null, { domain: 'known.test' }))
    expect(await visit('known.test')).toMatchObject({ status: 503 })
    expect(await visit('nobody.test')).toBeUndefined()
    await edge.stop()
    expect(await visit('known.test')).toBeUndefined()
    application = await serve((_req, res) => res.end())
  })
})
