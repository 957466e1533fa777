import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hasHaproxy } from '../../../test/haproxy.ts'
import { domainTo, type HaproxyEdge, openHaproxyEdge } from '../../../test/haproxy-edge.ts'
import { ask, type Loopback, listenOn, responseTo, serve } from '../../../test/loopback.ts'
import { until } from '../../../test/steps.ts'
import type { Host } from '../../remote/host.ts'
import type { BalanceGroup } from '../balance-group.ts'
import { balanceHaproxy } from './balance-haproxy.ts'
import { countStreams } from './count-streams.ts'
import { readTraffic } from './read-traffic.ts'
import { upstreamList } from './upstream-list.ts'
import { visitDomain } from './visit-domain.ts'

const [A, B] = [20_000, 20_999]
const SET_UP = join(import.meta.dirname, '../../remote/set-up/scripts/server/edge.sh')

describe.skipIf(!hasHaproxy)('a balanced edge', () => {
  const opened: { close(): Promise<void> }[] = []
  let edge: HaproxyEdge
  beforeEach(async () => {
    edge = keep(await openHaproxyEdge({ isBalanced: true }))
  })
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close()
  })

  function keep<Opened extends { close(): Promise<void> }>(one: Opened): Opened {
    opened.push(one)
    return one
  }

  const named = async (name: string) => keep(await serve((_req, res) => res.end(name)))
  const upstream = (name: string, { port }: Pick<Loopback, 'port'>) => ({ name, address: '127.0.0.1', port })
  const group = (port: number, ...upstreams: BalanceGroup['upstreams']): BalanceGroup => ({ port, upstreams })
  const textOf = async (headers: Record<string, string> = {}) => (await ask(edge.port, 'app.test', { headers })).text
  /** Each server of the running HAProxy with its state: `up`, `down`, or `out`. */
  const servers = async () =>
    (await edge.say('show servers state'))
      .split('\n')
      .map((line) => line.split(' '))
      .filter(([, backend]) => backend?.startsWith('kept'))
      .map(
        ([, backend, , name, , op, admin]) =>
          `${backend}/${name} ${admin === '0' ? (op === '2' ? 'up' : 'down') : 'out'}`,
      )
      .sort()

  test('leads to each upstream in turn, and to none where a group has none', async () => {
    const [one, two] = [await named('one'), await named('two')]
    const groups = [group(A, upstream('t1', one), upstream('t2', two)), group(B)]
    const joined = await edge.balance(groups, [A])
    expect(joined).toEqual({ outcome: 'balanced', version: 2, isLive: true, changed: 4, silent: [] })
    await edge.lead(domainTo(A), domainTo(B, { domain: 'none.test' }), domainTo(one.port, { domain: 'port.test' }))
    expect(new Set([await textOf(), await textOf(), await textOf()])).toEqual(new Set(['one', 'two']))
    for (const domain of ['none.test', 'port.test']) {
      const answer = await ask(edge.port, domain)
      expect([answer.status, answer.text.includes('The application does not answer')], domain).toEqual([503, true])
    }
    expect(await edge.balance(groups)).toMatchObject({ changed: 0 })
    expect(await edge.balance([group(A, upstream('t2', two))])).toMatchObject({ changed: 2 })
    expect(new Set([await textOf(), await textOf(), await textOf()])).toEqual(new Set(['two']))
    const traffic = await readTraffic(edge.host, edge.folder)
    expect(traffic.environments.get(1)?.requests).toBeGreaterThanOrEqual(6)
  })

  test('has the same groups before the platform has named any upstream', async () => {
    const written = readFileSync(join(edge.folder, 'groups.cfg'), 'utf8')
    const [program = ''] = /^balance_groups\(\) \{\n[\s\S]*?^\}$/m.exec(readFileSync(SET_UP, 'utf8')) ?? []
    const script = `${program.replace('@first_group@', '20000').replace('@last_group@', '20999')}\nbalance_groups`
    const { stdout } = await edge.host.run(['sh', '-c', script], {})
    expect(stdout.toString()).toBe(written)
  })

  test('loses no request while a route goes from group to group under 20 clients', async () => {
    const both = await Promise.all([A, B].map((port) => Promise.all([0, 1, 2].map(() => named(String(port))))))
    for (const { server } of both.flat()) server.keepAliveTimeout = 1
    const groupOf = (turn: number, version: number): BalanceGroup => {
      const upstreams = (both[turn % 2] ?? []).map((app, at) => upstream(`v${version}-${at}`, app))
      return group([A, B][turn % 2] ?? 0, ...upstreams)
    }
    await edge.balance([groupOf(0, 0)], [A])
    await edge.lead(domainTo(A))
    const agent = new Agent({ keepAlive: true, maxSockets: 20 })
    const answers: string[] = []
    let isOver = false
    const client = async (): Promise<void> => {
      for (let sent = 0; sent < 100 || !isOver; sent++)
        answers.push(await send(agent, edge.port, { method: sent % 3 === 0 ? 'POST' : 'GET' }))
    }
    const clients = Promise.all(Array.from({ length: 20 }, client))
    for (let turn = 1; turn <= 10; turn++) {
      const [old, next] = [groupOf(turn - 1, turn - 1), groupOf(turn, turn)]
      expect(await edge.balance([old, next], [next.port])).toMatchObject({ silent: [] })
      await edge.lead(domainTo(next.port))
      expect(await textOf()).toBe(String(next.port))
      await until(async () => (await countStreams(edge.host, edge.folder, [old.port])) === 0)
      await edge.balance([next])
    }
    isOver = true
    await clients
    agent.destroy()
    expect(answers.length).toBeGreaterThanOrEqual(2000)
    expect(answers.filter((answer) => !/^200 (20000|20999)$/.test(answer))).toEqual([])
  })

  test('an upstream that dies costs no request that begins later, is out of the balance, and is in again when it answers', async () => {
    const reached = Promise.withResolvers<void>()
    const dying = await serve((req, res) => (req.url === '/slow' ? reached.resolve() : res.end('dying')))
    const staying = keep(await serve((_req, res) => res.end('staying')))
    await edge.balance([group(A, upstream('t1', dying), upstream('t2', staying))], [A])
    await edge.lead(domainTo(A))
    const agent = new Agent({ keepAlive: true, maxSockets: 11 })
    const answers: { readonly method: string; readonly startedAt: number; readonly answer: string }[] = []
    let isOver = false
    const client = async (): Promise<void> => {
      for (let sent = 0; !isOver; sent++) {
        const [method, startedAt] = [sent % 3 === 0 ? 'POST' : 'GET', performance.now()]
        answers.push({ method, startedAt, answer: await send(agent, edge.port, { method }) })
      }
    }
    // The second of two is at the other upstream: it has fewer connections.
    const inFlight = [
      send(agent, edge.port, { method: 'POST', path: '/slow' }),
      send(agent, edge.port, { method: 'POST', path: '/slow' }),
    ]
    await reached.promise
    const clients = Promise.all(Array.from({ length: 10 }, client))
    await until(() => answers.length > 200)
    const closed = dying.close()
    const killedAt = performance.now()
    await closed
    await until(async () => (await servers()).includes(`kept${A}/t1 down`))
    const whileDown = answers.length
    await until(() => answers.length > whileDown + 200)
    const again = keep(
      await listenOn(
        createServer((_req, res) => void res.end('again')),
        dying.port,
      ),
    )
    // What answers there now may be another application, until the platform lists it.
    await edge.balance([group(A, upstream('t1', dying), upstream('t2', staying))], [A])
    await until(() => answers.some(({ answer }) => answer === '200 again'))
    isOver = true
    await clients
    agent.destroy()
    expect((await Promise.all(inFlight)).map((answer) => answer.slice(0, 3)).sort()).toEqual(['200', '502'])
    const lost = answers.filter(({ answer }) => !/^200 (dying|staying|again)$/.test(answer))
    expect(lost.filter(({ method, startedAt }) => method !== 'POST' || startedAt > killedAt)).toEqual([])
    expect(lost.length).toBeLessThanOrEqual(10)
    expect(again.port).toBe(dying.port)
  })

  test('an upstream that does not answer stays out, however often it is listed, and is out soon after its node dies', async () => {
    const [dying, staying] = [await named('dying'), await named('staying')]
    const groups = [group(A, upstream('t1', dying), upstream('t2', staying))]
    await edge.balance(groups, [A])
    const diedAt = performance.now()
    await dying.close()
    await until(async () => (await servers()).includes(`kept${A}/t1 down`))
    expect(performance.now() - diedAt).toBeLessThan(30_000)
    // A Swarm lists what ran on a dead node until it has missed several of its heartbeats.
    for (let turn = 0; turn < 3; turn++) {
      await edge.balance(groups)
      expect(await servers()).toContain(`kept${A}/t1 down`)
    }
  })

  test('an application that gets the port of an upstream that died is not taken for it', async () => {
    const dying = await serve((_req, res) => res.end('dying'))
    const staying = await named('staying')
    await edge.balance([group(A, upstream('t1', dying), upstream('t2', staying))], [A])
    await edge.lead(domainTo(A))
    await dying.close()
    await until(async () => (await servers()).includes(`kept${A}/t1 down`))
    keep(
      await listenOn(
        createServer((_req, res) => void res.end('other')),
        dying.port,
      ),
    )
    const seen: { state: string; passedChecks: number }[] = []
    await until(async () => {
      const line =
        (await edge.say('show servers state')).split('\n').find((one) => one.includes(` kept${A} 1 t1 `)) ?? ''
      const [, , , , , state = '', , , , , , , passedChecks] = line.split(' ')
      seen.push({ state, passedChecks: Number(passedChecks) })
      return Number(passedChecks) > 0
    })
    expect(seen.at(-1)?.state).toBe('0')
    await edge.balance([group(A, upstream('t2', staying), upstream('t3', { port: dying.port }))], [A])
    expect(new Set([await textOf(), await textOf()])).toEqual(new Set(['staying', 'other']))
  })

  test('chooses the upstream with the fewest connections', async () => {
    const waiting: (() => void)[] = []
    const busy = keep(await serve((_req, res) => void waiting.push(() => res.end('busy'))))
    const [one, two] = [await named('one'), await named('two')]
    await edge.balance([group(A, upstream('busy', busy))], [A])
    await edge.lead(domainTo(A))
    const first = textOf()
    await until(() => waiting.length === 1)
    const all = [upstream('busy', busy), upstream('one', one), upstream('two', two)]
    await edge.balance([group(A, ...all)], [A])
    const texts: string[] = []
    for (let sent = 0; sent < 20; sent++) texts.push(await textOf())
    expect(new Set(texts)).toEqual(new Set(['one', 'two']))
    waiting[0]?.()
    expect(await first).toBe('busy')
  })

  test('a visitor stays with one upstream where the route asks for it, and moves on when it is gone', async () => {
    const [one, two, other] = [await named('one'), await named('two'), await named('other')]
    const both = [upstream('t1', one), upstream('t2', two)]
    await edge.balance([group(A, ...both), group(B, upstream('t3', other))], [A, B])
    await edge.lead(domainTo(A, { isSticky: true }), domainTo(A, { domain: 'free.test' }))
    const cookieOf = async (cookie?: string) => {
      const { headers, text } = await ask(edge.port, 'app.test', { headers: cookie === undefined ? {} : { cookie } })
      return { text, cookies: headers['set-cookie'] }
    }
    const { text, cookies = [] } = await cookieOf()
    const name = text === 'one' ? 't1' : 't2'
    expect(cookies).toEqual([`shipway_task=${name}; Path=/; HttpOnly; SameSite=Lax`])
    for (let sent = 0; sent < 6; sent++)
      expect(await cookieOf(`a=b; shipway_task=${name}`)).toEqual({ text, cookies: undefined })
    // What names no upstream of this group chooses nothing, and is replaced.
    for (const value of [
      't3',
      'nothing',
      '',
      `kept${B}/t3`,
      '%[var(txn.route)]',
      't1 t2',
      'x'.repeat(4000),
      '"',
      '-1',
      '1',
    ]) {
      const seen = new Set<string>()
      for (let sent = 0; sent < 3; sent++) {
        const answer = await cookieOf(`shipway_task=${value}`)
        expect(answer.cookies, value).toHaveLength(1)
        seen.add(answer.text)
      }
      expect(seen, value).toEqual(new Set(['one', 'two']))
    }
    const free = await ask(edge.port, 'free.test', { headers: { cookie: 'shipway_task=t1' } })
    expect(free.headers['set-cookie']).toBeUndefined()
    await edge.balance([group(A, ...both.filter((left) => left.name !== name))])
    const moved = await cookieOf(`shipway_task=${name}`)
    expect([moved.text === text, moved.cookies?.length]).toEqual([false, 1])
  })

  test('an HAProxy that starts again has the upstreams that it had, and takes new ones', async () => {
    const [one, two] = [await named('one'), await named('two')]
    await edge.balance([group(A, upstream('t1', one))], [A])
    await edge.lead(domainTo(A))
    await edge.stop()
    await edge.start()
    expect(await textOf()).toBe('one')
    expect(await edge.balance([group(A, upstream('t2', two))], [A])).toMatchObject({ changed: 4, silent: [] })
    expect(await textOf()).toBe('two')
    await edge.stop()
    expect(await edge.balance([group(A, upstream('t1', one))], [A])).toMatchObject({ isLive: false, changed: 0 })
    await edge.start()
    expect(await textOf()).toBe('one')
    // One that began with files of before, as after a copy from a backup.
    await edge.stop()
    writeFileSync(
      join(edge.folder, 'groups.cfg'),
      readFileSync(join(edge.folder, 'groups.cfg'), 'utf8').replaceAll(/^ {2}server .*\n/gm, ''),
    )
    await edge.start()
    expect(await edge.balance([group(A, upstream('t1', one))], [A])).toMatchObject({ changed: 2, silent: [] })
    expect(await textOf()).toBe('one')
  })

  test('an upstream that leaves finishes what it answers, and HAProxy forgets it afterwards', async () => {
    const finish = Promise.withResolvers<() => void>()
    const old = keep(await serve((_req, res) => finish.resolve(() => res.end('old'))))
    const fresh = await named('fresh')
    await edge.balance([group(A, upstream('t1', old))], [A])
    await edge.lead(domainTo(A))
    const slow = textOf()
    const end = await finish.promise
    await edge.balance([group(A, upstream('t2', fresh))], [A])
    expect(await servers()).toEqual([`kept${A}/t1 out`, `kept${A}/t2 up`])
    expect(await textOf()).toBe('fresh')
    expect(await edge.balance([group(A, upstream('t2', fresh))])).toMatchObject({ changed: 0 })
    expect(await countStreams(edge.host, edge.folder, [A])).toBe(1)
    end()
    expect(await slow).toBe('old')
    await until(async () => {
      await edge.balance([group(A, upstream('t2', fresh))])
      return (await servers()).length === 1
    })
  })

  test('names the upstreams of a group that joins and do not answer', async () => {
    const one = await named('one')
    const gone = await serve((_req, res) => res.end('gone'))
    await gone.close()
    const joined = await edge.balance([group(A, upstream('t1', one), upstream('t2', gone))], [A])
    expect(joined).toMatchObject({ isLive: true, silent: [`${A}/t2`] })
    await edge.lead(domainTo(A))
    expect(await textOf()).toBe('one')
  })

  test('an older list never follows a newer one, in whatever order they arrive', async () => {
    const [one, two] = [await named('one'), await named('two')]
    const apply = (version: number) => {
      const { text } = upstreamList([group(A, upstream(`t${version}`, version === 9 ? one : two))])
      return balanceHaproxy(edge.host, edge.folder, { version, text, joining: [] })
    }
    const outcomes = await Promise.all([5, 9, 3, 8].map(apply))
    expect(outcomes[1]).toMatchObject({ outcome: 'balanced', version: 9 })
    expect(await servers()).toEqual(expect.arrayContaining([`kept${A}/t9 up`]))
    expect((await servers()).filter((server) => server.endsWith(' up'))).toHaveLength(1)
    expect(await apply(8)).toMatchObject({ outcome: 'stale', version: 9, changed: 0 })
    expect(readFileSync(join(edge.folder, 'upstreams'), 'utf8')).toContain(' t9 ')
  })

  test('a truncated list changes nothing', async () => {
    const one = await named('one')
    await edge.balance([group(A, upstream('t1', one))])
    const host: Host = {
      ...edge.host,
      run: (command, options) =>
        edge.host.run(command, { ...options, input: Buffer.from(options?.input ?? '').subarray(0, 10) }),
    }
    const { text } = upstreamList([group(A, upstream('t2', one))])
    await expect(balanceHaproxy(host, edge.folder, { version: 9, text, joining: [] })).rejects.toThrow('arrive whole')
    expect(await servers()).toEqual([`kept${A}/t1 up`])
  })

  test('changes made in the running HAProxy by hand are corrected', async () => {
    const [one, two] = [await named('one'), await named('two')]
    const groups = [group(A, upstream('t1', one), upstream('t2', two))]
    await edge.balance(groups, [A])
    const meddled = [
      `set server kept${A}/t1 state maint`,
      `set server kept${A}/t2 addr 127.0.0.1 port 1`,
      `set server fresh${A}/t2 state maint;del server fresh${A}/t2`,
      `add server kept${B}/strange 127.0.0.1:1;enable server kept${B}/strange`,
    ]
    for (const command of meddled) await edge.say(command)
    expect(await edge.balance(groups, [A])).toMatchObject({ silent: [] })
    expect(await servers()).toEqual([`kept${A}/t1 up`, `kept${A}/t2 up`])
  })

  test('five hundred upstreams come and go', async () => {
    const app = await named('app')
    const many = Array.from({ length: 10 }, (_, at) =>
      group(A + at, ...Array.from({ length: 50 }, (_, index) => upstream(`t${at}-${index}`, app))),
    )
    expect(await edge.balance(many, [A])).toMatchObject({ changed: 1000, silent: [] })
    expect(await edge.balance([])).toMatchObject({ changed: 1000 })
    expect(await servers()).toEqual([])
  })

  test('a visit of an environment with a password asks an upstream', async () => {
    const app = keep(await serve((req, res) => res.end(`app at ${req.headers.host}`)))
    await edge.balance([group(A, upstream('t1', app))], [A])
    await edge.lead(
      domainTo(A, { digest: 'a'.repeat(64), isSticky: true }),
      domainTo(B, { domain: 'none.test', digest: 'a'.repeat(64) }),
    )
    expect(await visitDomain(edge.host, edge.folder, 'app.test')).toMatchObject({
      status: 200,
      text: 'app at app.test',
    })
    expect(await visitDomain(edge.host, edge.folder, 'none.test')).toBeUndefined()
  })

  test('an HAProxy whose routes lead to ports is not mistaken for a balanced one', async () => {
    const ports = keep(await openHaproxyEdge())
    expect(await ports.balance([])).toMatchObject({ changed: 0 })
    const app = await named('app')
    await expect(ports.balance([group(A, upstream('t1', app))])).rejects.toThrow('it has no balance groups')
  })
})

/** The status and the text, or why there was none. */
async function send(
  agent: Agent,
  port: number,
  { method, path = '/' }: { method: string; path?: string },
): Promise<string> {
  const req = request({ port, agent, method, path, headers: { host: 'app.test' } })
  req.end(method === 'POST' ? 'body' : undefined)
  try {
    const answer = await responseTo(req)
    answer.setEncoding('utf8')
    let text = ''
    for await (const chunk of answer) text += chunk
    return `${answer.statusCode} ${text}`
  } catch (error) {
    return String(error)
  }
}
