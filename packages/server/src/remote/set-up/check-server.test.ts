// The check of a server over a real sshd, and on this machine.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLocalHost } from '../../../test/processes/local-host.ts'
import { hasSshd, loopbackServers, type Sshd, startSshd } from '../../../test/sshd.ts'
import { ConnectionLost, type Host, localGit } from '../host.ts'
import { createHosts, type Hosts } from '../hosts.ts'
import { createSshAuthority, generateSshAuthorityKey } from '../ssh/ssh-authority.ts'
import { type CheckOptions, checkServer } from './check-server.ts'

const options: CheckOptions = {
  installationId: 'a1b2c3',
  folder: undefined,
  runtime: 'compose',
  edge: 'embedded',
  setUpLine: null,
  isEdgeConfig: () => true,
}

describe.skipIf(!hasSshd)('a server over ssh', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shw-'))
  const home = join(folder, 'home')
  const programs = join(folder, 'programs')
  const authority = createSshAuthority(generateSshAuthorityKey())
  let sshd: Sshd
  let hosts: Hosts
  beforeAll(async () => {
    mkdirSync(home)
    mkdirSync(programs)
    // A program with a misleading version.
    writeFileSync(join(programs, 'git'), '#!/bin/sh\nprintf "git version 2.1.0\\ntime 5\\nwritable no\\n"\n')
    writeFileSync(join(programs, 'docker'), '#!/bin/sh\necho "x 99.9"\n')
    for (const name of ['docker', 'git']) chmodSync(join(programs, name), 0o755)
    const settings = [`SetEnv HOME=${home} PATH=${programs}:/usr/bin:/bin`]
    sshd = await startSshd({ authorityKey: authority.publicKey, settings })
    hosts = createHosts({ folder, authority, ...loopbackServers })
  })
  afterAll(async () => {
    await hosts?.close()
    await sshd?.stop()
    rmSync(folder, { recursive: true })
  })

  test('reports whether it lets in the people of one organization', async () => {
    const host = hosts.of(sshd.address())
    const access = join(home, '.shipway', 'a1b2c3', 'access')
    const asks = async (authorityKey: string, principal: string) =>
      (await checkServer(host, { ...options, people: { authorityKey, principal } })).letsPeopleIn
    expect(await asks('ssh-ed25519 AAAA', 'shipway-1-a')).toBe(false)
    mkdirSync(access, { recursive: true })
    writeFileSync(join(access, 'trusted'), 'ssh-ed25519 AAAA\nshipway-1-a\nrestrict shipway-1-a-logs\n')
    expect(await asks('ssh-ed25519 AAAA', 'shipway-1-a')).toBe(false)
    writeFileSync(join(access, 'revoked'), '')
    expect(await asks('ssh-ed25519 AAAA', 'shipway-1-a')).toBe(true)
    expect(await asks('ssh-ed25519 AAA', 'shipway-1-a')).toBe(false)
    expect(await asks('ssh-ed25519 AAAA', 'shipway-1-b')).toBe(false)
    expect((await checkServer(host, options)).letsPeopleIn).toBeUndefined()
    rmSync(access, { recursive: true })
  })

  test('answers with every check in the session that is open', async () => {
    // A Docker that hangs. Each check waits some seconds for it.
    writeFileSync(join(programs, 'docker'), '#!/bin/sh\n[ "$1" != version ] || exec sleep 600\necho "x 99.9"\n')
    const host = hosts.of(sshd.address())
    await host.run(['true'])
    const before = sshd.log().filter((line) => line.startsWith('Starting session')).length
    const { checks, disk } = await checkServer(host, options)
    expect(disk?.freeBytes).toBeGreaterThan(0)
    expect(disk?.totalBytes).toBeGreaterThan(disk?.freeBytes ?? Number.POSITIVE_INFINITY)
    expect(sshd.log().filter((line) => line.startsWith('Starting session')).length).toBe(before)
    const byName = Object.fromEntries(checks.map((check) => [check.name, check]))
    expect(byName.connection).toMatchObject({ status: 'ok' })
    expect(byName.account).toMatchObject({ status: 'ok', message: expect.stringContaining(`${home}/.shipway/a1b2c3`) })
    expect(byName.clock).toMatchObject({ status: 'ok' })
    // Only the first line of a program's output counts.
    expect(byName.git).toMatchObject({ status: 'ok', message: 'git 2.1.0' })
    // The program that hangs delayed nothing.
    expect(byName.docker).toMatchObject({ status: 'failed', message: 'The daemon of Docker does not answer' })
    expect(byName.buildx).toMatchObject({ status: 'ok' })
    expect(readdirSync(join(home, '.shipway/a1b2c3'))).toEqual(['read-output.sh'])
    expect(statSync(join(home, '.shipway/a1b2c3/read-output.sh')).mode & 0o777).toBe(0o700)
  })

  test('that cannot be reached is an error with its stage', async () => {
    const nobody = hosts.of(sshd.address({ id: 2, port: 1 }))
    await expect(checkServer(nobody, options)).rejects.toMatchObject({
      code: 'server_unreachable',
      extra: { stage: 'connect' },
    })
    const stranger = hosts.of(sshd.address({ id: 3, unixUser: 'nobody-here' }))
    await expect(checkServer(stranger, options)).rejects.toMatchObject({
      code: 'server_unreachable',
      extra: { stage: 'auth' },
    })
  })

  test('that falls silent is an error at the deadline, however long it stays silent', async () => {
    const host = hosts.of(sshd.address({ id: 4 }))
    await host.run(['true'])
    sshd.pauseConnections()
    await expect(checkServer(host, { ...options, deadlineMs: 200 })).rejects.toMatchObject({ code: 'server_timeout' })
    await sshd.resumeConnections()
  })
})

test('this machine is checked in the given folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-check-'))
  const { checks } = await checkServer(createLocalHost('here'), { ...options, folder: join(folder, 'server') })
  expect(checks.find(({ name }) => name === 'account')).toMatchObject({ status: 'ok' })
  expect(existsSync(join(folder, 'server'))).toBe(true)
  rmSync(folder, { recursive: true })
})

test('a broken connection counts as an unreachable server', async () => {
  const host = failing(new ConnectionLost('The connection to the server one broke while a command ran on it'))
  await expect(checkServer(host, options)).rejects.toMatchObject({
    code: 'server_unreachable',
    extra: { stage: 'connect' },
  })
})

test('a bug stays a bug', async () => {
  const bug = new TypeError('x')
  await expect(checkServer(failing(bug), options)).rejects.toBe(bug)
})

const failing = (error: Error): Host => ({
  name: 'one',
  git: localGit,
  run: () => Promise.reject(error),
})
