// Errors for servers that were never set up, and the principal that the platform uses: on a real sshd.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hasSshd, loopbackServers, type Sshd, startSshd, testPrincipal } from '../../../test/sshd.ts'
import type { ServerAddress } from '../../domain/server-address.ts'
import { generateSshKey } from '../../secrets/ssh-key.ts'
import { createHosts, type Hosts, type HostsOptions } from '../hosts.ts'
import { createSshAuthority, generateSshAuthorityKey } from '../ssh/ssh-authority.ts'
import { checkServer } from './check-server.ts'

describe.skipIf(!hasSshd)('a server that the platform has not signed in to', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shw-'))
  const authority = createSshAuthority(generateSshAuthorityKey())
  const listeners: Server[] = []
  let sshd: Sshd
  let open: Hosts[] = []
  beforeAll(async () => {
    sshd = await startSshd({ authorityKey: authority.publicKey })
  })
  afterEach(async () => {
    sshd.letIn(testPrincipal)
    for (const hosts of open) await hosts.close()
    open = []
  })
  afterAll(async () => {
    await sshd?.stop()
    for (const listener of listeners) listener.close()
    rmSync(folder, { recursive: true })
  })

  const hostAt = (changes: Partial<ServerAddress>, options: Partial<HostsOptions> = {}) => {
    const hosts = createHosts({ folder, authority, ...loopbackServers, ...options })
    open.push(hosts)
    return hosts.of(sshd.address({ hasSignedIn: false, ...changes }))
  }
  /** Sends the greeting and closes; without one it sends nothing, and stays until the other side closes. */
  const listen = async (greeting?: string): Promise<number> => {
    const listener = createServer((socket) => {
      socket.on('error', () => undefined).resume()
      if (greeting !== undefined) socket.end(greeting)
    })
    listeners.push(listener)
    await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
    return (listener.address() as AddressInfo).port
  }
  const options = {
    ...({
      installationId: 'a1b2c3',
      folder: undefined,
      runtime: 'compose',
      edge: 'haproxy',
      isEdgeConfig: () => true,
    } as const),
    setUpLine: 'curl … | sudo sh',
  }
  const faultOf = (
    changes: Partial<ServerAddress>,
    showsDetails = false,
  ): Promise<{ message: string; extra: object }> =>
    checkServer(hostAt(changes), { ...options, showsDetails }).then(
      () => Promise.reject(new Error('it was reached')),
      (error) => error,
    )
  /** Everything that a port scanner could find. */
  const places = async (): Promise<readonly Partial<ServerAddress>[]> => {
    const gone = await startSshd()
    await gone.stop()
    return [
      { port: gone.port },
      { port: await listen('HTTP/1.1 400 Bad Request\r\n\r\n') },
      { port: await listen('') },
      { port: await listen() },
      { principal: testPrincipal.replace('-1-', '-2-') },
      { unixUser: 'nobody-here' },
      { hostKey: generateSshKey('').publicKey },
      { hostname: 'no-such-server.invalid' },
    ]
  }

  test('always gives the same sentence with the set-up line, whatever listens there', async () => {
    const seen = new Set<string>()
    for (const place of await places()) {
      const { message, extra } = await faultOf(place)
      const { hostname = '127.0.0.1', port = sshd.port, unixUser = userInfo().username } = place
      seen.add(message.replace(`${unixUser}@${hostname}, port ${port}`, 'somewhere'))
      expect(extra).toEqual({ stage: 'auth' })
    }
    expect([...seen]).toEqual([expect.stringMatching(/has not signed in.*The set-up line: curl … \| sudo sh$/s)])
  })

  test('shows the real error to a platform administrator', async () => {
    const [closed, web, ...others] = await places()
    expect(await faultOf(closed ?? {}, true)).toMatchObject({ message: expect.stringContaining('Connection refused') })
    // The public sentence is attached as the cause.
    expect(await faultOf(closed ?? {}, true)).toMatchObject({
      cause: { message: expect.stringMatching(/^(?!.*refused).*has not signed in/s), extra: { stage: 'auth' } },
    })
    expect(await faultOf(web ?? {}, true)).toMatchObject({ extra: { stage: 'connect' } })
    expect(await faultOf(others.at(-2) ?? {}, true)).toMatchObject({ extra: { stage: 'host_key' } })
  })

  test('shows the real error once the platform has signed in', async () => {
    const host = hostAt({})
    await host.run(['true'])
    sshd.letIn()
    sshd.cutConnections()
    const refused = { stage: 'auth', message: expect.stringContaining("did not accept the platform's certificate") }
    await expect.poll(() => host.run(['true']).catch((error: unknown) => error), waiting).toMatchObject(refused)
  })

  test('is not reached with the name of the user as principal, which an earlier set-up allowed', async () => {
    sshd.letIn(userInfo().username)
    await expect(hostAt({}).run(['true'])).rejects.toMatchObject({ message: expect.stringContaining('once more') })
    await expect(hostAt({ hasSignedIn: true }).run(['true'])).rejects.toMatchObject({ stage: 'auth' })
  })

  test('lets in each server by its own principal', async () => {
    const another = testPrincipal.replace(/.$/, '0')
    sshd.letIn(testPrincipal, another)
    const ids = [hostAt({ id: 1 }), hostAt({ id: 2, principal: another })].map((host) => host.run(['echo', 'in']))
    expect((await Promise.all(ids)).map(({ stdout }) => stdout.toString())).toEqual(['in\n', 'in\n'])
    await expect(hostAt({ principal: testPrincipal.replace('-1-', '-11-') }).run(['true'])).rejects.toThrow(
      'not signed',
    )
  })

  test.each([
    ['foreign', 'another organization uses here'],
    ['changed', 'was changed while the platform connected'],
  ] as const)(
    'and turns out to be %s runs nothing, at the first connection and at each later one',
    async (claim, words) => {
      const file = join(folder, claim)
      let answer: 'own' | typeof claim = claim
      const host = hostAt({}, { onSignIn: async () => answer })
      await expect(host.run(['touch', file])).rejects.toThrow(words)
      answer = 'own'
      await host.run(['true'])
      answer = claim
      sshd.cutConnections()
      await expect.poll(() => host.run(['touch', file]).catch(String), waiting).toContain(words)
      expect(existsSync(file)).toBe(false)
    },
  )

  test('is connected to at the checked address, even if DNS changes a moment later', async () => {
    const leads = [['127.0.0.1'], ['10.0.0.1']]
    const lookup = async (): Promise<readonly string[]> => leads.shift() ?? []
    const host = hostAt({ hostname: 'one.example.com' }, { lookup })
    expect((await host.run(['echo', 'in'])).stdout.toString()).toBe('in\n')
    expect(await host.git.inTurn(async ({ GIT_SSH_COMMAND }) => GIT_SSH_COMMAND)).toContain('HostName=127.0.0.1')
    sshd.cutConnections()
    const refused = { message: expect.stringContaining('may not connect to') }
    await expect.poll(() => host.run(['true']).catch((error: unknown) => error), waiting).toMatchObject(refused)
  })

  test('is tried at its next address if nothing listens at the first', async () => {
    const host = hostAt({ hostname: 'one.example.com' }, { lookup: async () => ['127.0.0.2', '127.0.0.1'] })
    expect((await host.run(['echo', 'in'])).stdout.toString()).toBe('in\n')
  })
})

/** Time to notice a cut connection: far longer than needed, also on a busy machine. */
const waiting = { timeout: 120_000 }
