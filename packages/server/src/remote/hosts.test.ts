import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startChild } from '../../test/processes/child.ts'
import { hasSshd, loopbackServers, type Sshd, startSshd } from '../../test/sshd.ts'
import { createHosts, type Hosts, type HostsOptions } from './hosts.ts'
import { createSshAuthority, generateSshAuthorityKey } from './ssh/ssh-authority.ts'

describe.skipIf(!hasSshd)('the hosts of a process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shw-'))
  const authority = createSshAuthority(generateSshAuthorityKey())
  let sshd: Sshd
  let open: Hosts[] = []
  beforeAll(async () => {
    sshd = await startSshd({ authorityKey: authority.publicKey })
  })
  afterEach(async () => {
    for (const hosts of open) await hosts.close()
    open = []
  })
  afterAll(async () => {
    await sshd?.stop()
    rmSync(folder, { recursive: true })
  })

  const makeHosts = (options: Partial<HostsOptions> = {}): Hosts => {
    const hosts = createHosts({ folder, authority, ...loopbackServers, ...options })
    open.push(hosts)
    return hosts
  }
  const processesOf = (words: string): string[] =>
    execFileSync('ps', ['-e', '-o', 'args='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.startsWith('ssh ') && line.includes(words))
  const accepted = (): number => sshd.log().filter((line) => line.startsWith('Accepted publickey')).length

  test('the first connection pins the host key, and every connection reports it', async () => {
    const met: [number, string][] = []
    const hosts = makeHosts({
      onSignIn: async ({ id }, hostKey) => {
        met.push([id, hostKey])
        return 'own'
      },
    })
    const host = hosts.of(sshd.address({ id: 12 }))
    await Promise.all([host.run(['true']), host.run(['true'])])
    await sshd.restart()
    // Until this process notices the end of the old connection, commands on it are lost.
    await vi.waitFor(() => host.run(['true']), { timeout: 120_000 })
    expect(met).toEqual([
      [12, sshd.hostKey],
      [12, sshd.hostKey],
    ])
  })

  test('nothing runs if the owner of the machine cannot be determined', async () => {
    const file = join(folder, 'ran')
    const hosts = makeHosts({ onSignIn: () => Promise.reject(new Error('not stored')) })
    await expect(hosts.of(sshd.address()).run(['touch', file])).rejects.toThrow('not stored')
    expect(existsSync(file)).toBe(false)
  })

  test('one server has one host and one connection, also when its key was pinned meanwhile', async () => {
    const hosts = makeHosts()
    const before = accepted()
    const host = hosts.of(sshd.address())
    await host.run(['true'])
    expect(hosts.of(sshd.address())).toBe(host)
    expect(hosts.of(sshd.address({ hostKey: sshd.hostKey }))).toBe(host)
    await hosts.of(sshd.address({ hostKey: sshd.hostKey })).run(['true'])
    expect(accepted()).toBe(before + 1)
  })

  test('a changed address is another host, and commands on the former one finish', async () => {
    const hosts = makeHosts()
    const host = hosts.of(sshd.address())
    const heard = Promise.withResolvers<void>()
    const file = join(folder, 'go')
    const waitForFile = ['sh', '-c', 'echo waiting; until [ -e "$1" ]; do sleep 0.05; done', 'sh', file] as const
    const running = host.run(waitForFile, { onOutput: () => heard.resolve() })
    await heard.promise
    const changed = hosts.of(sshd.address({ name: 'new name' }))
    expect(changed).not.toBe(host)
    expect((await changed.run(['touch', file])).exitCode).toBe(0)
    expect((await running).exitCode).toBe(0)
    expect((await host.run(['echo', 'still'])).stdout.toString()).toBe('still\n')
  })

  test('a changed pinned key is required from then on', async () => {
    const hosts = makeHosts()
    await hosts.of(sshd.address({ hostKey: sshd.hostKey })).run(['true'])
    const hostKey = authority.publicKey
    await expect(hosts.of(sshd.address({ hostKey })).run(['true'])).rejects.toMatchObject({ stage: 'host_key' })
  })

  test('a forgotten server loses its connection', async () => {
    const hosts = makeHosts()
    await hosts.of(sshd.address()).run(['true'])
    const ended = (): number => sshd.log().filter((line) => line.startsWith('Disconnected from')).length
    const before = ended()
    hosts.forget(1)
    await vi.waitFor(() => expect(ended()).toBe(before + 1), { timeout: 120_000 })
  })

  test('after closing, every command is refused and no file is left', async () => {
    const own = join(folder, 'own')
    const hosts = makeHosts({ folder: own })
    const host = hosts.of(sshd.address())
    await host.run(['true'])
    const [name = ''] = readdirSync(own)
    expect(statSync(join(own, name)).mode & 0o777).toBe(0o700)
    for (const file of ['key', `cert-${sshd.address().principal}`])
      expect(statSync(join(own, name, file)).mode & 0o777).toBe(0o600)
    await hosts.close()
    await expect(host.run(['true'])).rejects.toMatchObject({ name: 'ServerUnreachable', stage: 'connect' })
    expect(readdirSync(own)).toEqual([])
  })

  test('removes the folder of an ended process, and keeps that of a running one', async () => {
    const own = join(folder, 'orphans')
    const dead = Number(readFileSync('/proc/sys/kernel/pid_max', 'utf8')) + 1
    for (const pid of [dead, process.ppid]) mkdirSync(join(own, `shipway-ssh-${pid}-abcdef`), { recursive: true })
    makeHosts({ folder: own })
    expect(readdirSync(own).filter((name) => name.endsWith('-abcdef'))).toEqual([`shipway-ssh-${process.ppid}-abcdef`])
  })

  test('the connection of a killed process ends by itself', async () => {
    const own = join(folder, 'killed')
    const key = generateSshAuthorityKey()
    const trusting = await startSshd({ authorityKey: createSshAuthority(key).publicKey })
    writeFileSync(join(folder, 'authority-key'), key.reveal())
    const words = [own, join(folder, 'authority-key'), JSON.stringify(trusting.address())]
    const child = startChild('hold-ssh-connection.ts', ...words)
    try {
      expect(await child.firstLine).toBe('connected')
      expect(processesOf(own)).not.toEqual([])
      await child.kill()
      await vi.waitFor(() => expect(processesOf(own)).toEqual([]), { timeout: 120_000 })
    } finally {
      await child.kill()
      await trusting.stop()
    }
  })

  test('a data folder with a path too long for sockets works', async () => {
    const hosts = makeHosts({ folder: join(folder, 'long '.repeat(30)) })
    expect((await hosts.of(sshd.address()).run(['echo', 'fine'])).stdout.toString()).toBe('fine\n')
  })

  test('the local server needs no connection', async () => {
    const before = accepted()
    const host = makeHosts().of(sshd.address({ connection: 'local', name: 'here' }))
    expect((await host.run(['echo', 'here'])).stdout.toString()).toBe('here\n')
    expect(accepted()).toBe(before)
  })
})
