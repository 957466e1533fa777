// A server that cannot be reached, has another host key, or disconnects: on a real sshd.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hasSshd, loopbackServers, type Sshd, startSshd } from '../../../test/sshd.ts'
import type { ServerAddress } from '../../domain/server-address.ts'
import { generateSshKey } from '../../secrets/ssh-key.ts'
import { ConnectionLost, type Host, ServerUnreachable } from '../host.ts'
import { createHosts, type Hosts } from '../hosts.ts'
import { createSshAuthority, generateSshAuthorityKey, type SshAuthority } from './ssh-authority.ts'

describe.skipIf(!hasSshd)('a server that cannot be reached', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shw-'))
  const authority = createSshAuthority(generateSshAuthorityKey())
  let sshd: Sshd
  let open: Hosts[] = []
  beforeAll(async () => {
    sshd = await startSshd({ authorityKey: authority.publicKey })
  })
  afterEach(async () => {
    await sshd.resumeConnections()
    for (const hosts of open) await hosts.close()
    open = []
  })
  afterAll(async () => {
    await sshd?.stop()
    rmSync(folder, { recursive: true })
  })

  const hostAt = (address: ServerAddress, certify: SshAuthority['certify'] = authority.certify): Host => {
    const hosts = createHosts({ folder, authority: { certify }, ...loopbackServers })
    open.push(hosts)
    return hosts.of(address)
  }
  const pinned = () => sshd.address({ hostKey: sshd.hostKey })
  const failure = async (host: Host): Promise<ServerUnreachable> => {
    const error = await host.run(['true']).then(
      () => new Error('it ran'),
      (reason) => reason,
    )
    if (error instanceof ServerUnreachable) return error
    throw error
  }

  test('another host key than the pinned one is refused with a sentence that says so and what to do', async () => {
    const before = sshd.log().filter((line) => line.startsWith('Accepted')).length
    const { publicKey } = generateSshKey('')
    const { stage, message } = await failure(hostAt(sshd.address({ hostKey: publicKey })))
    expect(stage).toBe('host_key')
    expect(message).toMatch(
      /^The server test server \(\w+@127\.0\.0\.1, port \d+\) showed another host key than the one/,
    )
    expect(message).toContain('set it as the host key of the server')
    expect(sshd.log().filter((line) => line.startsWith('Accepted'))).toHaveLength(before)
  })

  test('a certificate of another authority is not accepted', async () => {
    const other = createSshAuthority(generateSshAuthorityKey())
    const { stage, message } = await failure(hostAt(pinned(), other.certify))
    expect(stage).toBe('auth')
    expect(message).toContain("did not accept the platform's certificate")
  })

  test('an expired certificate is not accepted', async () => {
    const ended: SshAuthority['certify'] = (request) => authority.certify({ ...request, validForMs: -30_000 })
    expect((await failure(hostAt(pinned(), ended))).stage).toBe('auth')
  })

  test('a certificate for another user is not accepted', async () => {
    const forAnother: SshAuthority['certify'] = (request) => authority.certify({ ...request, principals: ['somebody'] })
    expect((await failure(hostAt(pinned(), forAnother))).stage).toBe('auth')
  })

  test('the sentence quotes the system’s error if nothing listens', async () => {
    const gone = await startSshd()
    await gone.stop()
    const { stage, message } = await failure(hostAt(gone.address()))
    expect(stage).toBe('connect')
    expect(message).toContain('Connection refused')
  })

  test('a name without an address is a failure to connect', async () => {
    expect((await failure(hostAt(sshd.address({ hostname: 'no-such-server.invalid' })))).stage).toBe('connect')
  })

  test('an account that runs no commands is distinguished from a refused certificate', async () => {
    const closed = await startSshd({
      authorityKey: authority.publicKey,
      settings: ['ForceCommand echo This account is not available >&2; exit 1'],
    })
    try {
      const { stage, message } = await failure(hostAt(closed.address()))
      expect(stage).toBe('auth')
      expect(message).toContain('runs no commands (This account is not available)')
    } finally {
      await closed.stop()
    }
  })

  test('the next command retries a failed connection', async () => {
    const other = createSshAuthority(generateSshAuthorityKey())
    let isRight = false
    const host = hostAt(sshd.address(), (request) =>
      isRight ? authority.certify(request) : { ...other.certify(request), validBefore: new Date(0) },
    )
    expect((await failure(host)).stage).toBe('auth')
    isRight = true
    expect((await host.run(['echo', 'in'])).stdout.toString()).toBe('in\n')
  })

  const left: number[] = []
  afterEach(() => {
    // Commands of a lost connection continue to run.
    for (const pid of left.splice(0)) process.kill(pid, 'SIGKILL')
  })

  /** Starts a command that keeps running and waits until it runs; returns how it ended. */
  async function staying(host: Host): Promise<{ outcome: Promise<unknown> }> {
    const heard = Promise.withResolvers<void>()
    const onOutput = (bytes: Buffer): void => {
      left.push(Number(bytes.toString()))
      heard.resolve()
    }
    const outcome = host.run(['sh', '-c', 'echo $$; exec sleep 300'], { onOutput }).catch((error) => error)
    await heard.promise
    return { outcome }
  }

  test('a connection that is cut is noticed by every command on it, and the next command connects again', async () => {
    const host = hostAt(pinned())
    const commands = await Promise.all([staying(host), staying(host)])
    sshd.cutConnections()
    for (const { outcome } of commands) expect(await outcome).toBeInstanceOf(ConnectionLost)
    expect((await host.run(['echo', 'again'])).stdout.toString()).toBe('again\n')
  })

  test('a connection that falls silent is noticed, and the next command connects again', async () => {
    const host = hostAt(pinned())
    const { outcome } = await staying(host)
    sshd.pauseConnections()
    const limit = Promise.withResolvers<string>()
    // Within 45 seconds; a busy machine may take longer.
    const timer = setTimeout(limit.resolve, 120_000, 'not noticed')
    expect(await Promise.race([outcome, limit.promise])).toBeInstanceOf(ConnectionLost)
    clearTimeout(timer)
    expect((await host.run(['echo', 'again'])).stdout.toString()).toBe('again\n')
  })
})
