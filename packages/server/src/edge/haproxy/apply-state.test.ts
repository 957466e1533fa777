import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hasHaproxy } from '../../../test/haproxy.ts'
import { domainTo, type HaproxyEdge, openHaproxyEdge } from '../../../test/haproxy-edge.ts'
import { ask, type Loopback, serve } from '../../../test/loopback.ts'
import type { Host } from '../../remote/host.ts'
import { applyHaproxyState } from './apply-state.ts'
import { HaproxyFailed } from './ask-haproxy.ts'
import type { HaproxyDomain } from './haproxy-state.ts'

describe.skipIf(!hasHaproxy)('applying a state', () => {
  let edge: HaproxyEdge
  let app: Loopback
  beforeAll(async () => {
    app = await serve((_req, res) => res.end('application'))
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    edge = await openHaproxyEdge()
  })
  afterEach(() => edge.close())

  const apply = (version: number, ...domains: HaproxyDomain[]) =>
    applyHaproxyState(edge.host, edge.folder, { version, domains, acmeThumbprint: null })
  const statusOf = async (host: string) => (await ask(edge.port, host)).status
  const entries = async () =>
    (await edge.say(`show map ${edge.folder}/routes.map`))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replace(/^\S+ /, ''))
      .sort()

  test('changes only what differs, and the same state again changes nothing', async () => {
    const many = Array.from({ length: 500 }, (_, index) => domainTo(app.port, { domain: `pr-${index}.example.com` }))
    expect(await apply(2, ...many)).toMatchObject({ outcome: 'applied', version: 2, isLive: true, changed: 500 })
    expect(await apply(2, ...many)).toMatchObject({ outcome: 'applied', changed: 0 })
    expect(await apply(3, ...many.slice(1), domainTo(app.port))).toMatchObject({ changed: 2 })
    expect(await statusOf('pr-499.example.com')).toBe(200)
    expect(await statusOf('pr-0.example.com')).toBe(404)
    expect(await apply(4)).toMatchObject({ changed: 500 })
    expect(await entries()).toEqual([])
  })

  test('a truncated state changes nothing', async () => {
    await apply(2, domainTo(app.port))
    const cutTo = (bytes: number): Host => ({
      ...edge.host,
      run: (command, options) =>
        edge.host.run(command, { ...options, input: Buffer.from(options?.input ?? '').subarray(0, bytes) }),
    })
    const half = { version: 3, domains: [domainTo(null), domainTo(null, { domain: 'b.test' })], acmeThumbprint: 'a' }
    for (const bytes of [0, 5, 25])
      await expect(applyHaproxyState(cutTo(bytes), edge.folder, half)).rejects.toThrow('did not arrive whole')
    expect(await statusOf('app.test')).toBe(200)
    expect(readFileSync(join(edge.folder, 'version'), 'utf8')).toBe('2\n')
  })

  test('an older state is refused, and the newer one stays', async () => {
    await apply(7, domainTo(app.port))
    expect(await apply(6, domainTo(null))).toMatchObject({ outcome: 'stale', version: 7, changed: 0 })
    expect(await statusOf('app.test')).toBe(200)
    expect(readFileSync(join(edge.folder, 'version'), 'utf8')).toBe('7\n')
  })

  test('the newest of concurrent states wins, in whatever order they arrive', async () => {
    const states = [5, 9, 3, 8, 4, 6, 7].map((version) => apply(version, domainTo(version === 9 ? app.port : null)))
    const outcomes = await Promise.all(states)
    expect(outcomes[1]).toMatchObject({ outcome: 'applied' })
    expect(await statusOf('app.test')).toBe(200)
    expect(readdirSync(edge.folder).filter((name) => name.startsWith('new.'))).toEqual([])
  })

  test('a restarted HAProxy has the same routes', async () => {
    const digest = 'a'.repeat(64)
    await apply(2, domainTo(app.port), domainTo(app.port, { domain: 'closed.test', digest }))
    await edge.stop()
    await edge.start()
    expect(await statusOf('app.test')).toBe(200)
    expect(await statusOf('closed.test')).toBe(401)
    expect(await apply(3, domainTo(app.port), domainTo(app.port, { domain: 'closed.test', digest }))).toMatchObject({
      changed: 0,
    })
  })

  test('a state applied while HAProxy is stopped is used when it starts', async () => {
    await edge.stop()
    expect(await apply(2, domainTo(app.port))).toMatchObject({ outcome: 'applied', isLive: false, changed: 0 })
    await edge.start()
    expect(await statusOf('app.test')).toBe(200)
  })

  test('changes made directly in the running map are corrected', async () => {
    await apply(2, domainTo(app.port), domainTo(app.port, { domain: 'other.test' }))
    const sound = await entries()
    const map = `${edge.folder}/routes.map`
    const meddled = [
      `set map ${map} app.test 1:1:none:http`,
      `del map ${map} other.test`,
      `add map ${map} app.test 2:2:none:http`,
      `add map ${map} strange\\ key\\;\\ $(id) 3:3:none:http`,
      `add map ${map} third.test ${app.port}:1:none:http`,
    ]
    for (const command of meddled) await edge.say(command)
    expect(await entries()).not.toEqual(sound)
    await apply(2, domainTo(app.port), domainTo(app.port, { domain: 'other.test' }))
    expect(await entries()).toEqual(sound)
    await edge.say(`clear map ${map}`)
    // A stale writer also reconciles the running map with the files.
    expect(await apply(1)).toMatchObject({ outcome: 'stale', changed: 2 })
    expect(await entries()).toEqual(sound)
  })

  test('a file that was changed by hand is written again', async () => {
    await apply(2, domainTo(app.port))
    writeFileSync(join(edge.folder, 'routes.map'), 'app.test 1:1:none:http\n')
    await apply(2, domainTo(app.port))
    expect(readFileSync(join(edge.folder, 'routes.map'), 'utf8')).toBe(`app.test ${app.port}:1:none:http\n`)
  })

  test('only the platform’s user can read the digests of passwords', async () => {
    await apply(2, domainTo(app.port, { digest: 'a'.repeat(64) }))
    expect(statSync(join(edge.folder, 'routes.map')).mode & 0o777).toBe(0o600)
  })

  test('an HAProxy with another path to the folder counts as the edge', async () => {
    await edge.stop()
    const config = readFileSync(join(edge.folder, 'haproxy.cfg'), 'utf8')
    symlinkSync(edge.folder, join(edge.folder, 'here'))
    writeFileSync(join(edge.folder, 'haproxy.cfg'), config.replaceAll(/(\S+)(?=\/(?:routes|acme)\.map)/g, '$1/here'))
    await edge.start()
    expect(await apply(2, domainTo(app.port))).toMatchObject({ outcome: 'applied', isLive: true, changed: 1 })
    expect(await statusOf('app.test')).toBe(200)
  })

  test('an HAProxy with another configuration is not mistaken for the edge', async () => {
    await edge.stop()
    const config = readFileSync(join(edge.folder, 'haproxy.cfg'), 'utf8')
    mkdirSync(join(edge.folder, 'elsewhere'))
    writeFileSync(join(edge.folder, 'elsewhere', 'other.map'), '')
    const other = config.replaceAll(`${edge.folder}/routes.map`, `${edge.folder}/elsewhere/other.map`)
    writeFileSync(join(edge.folder, 'haproxy.cfg'), other)
    await edge.start()
    await expect(apply(2)).rejects.toThrow(HaproxyFailed)
    await expect(apply(2)).rejects.toThrow('it has no routes.map')
  })
})
