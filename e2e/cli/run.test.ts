// `shipway run` on a real Docker Engine and a real sshd: with a terminal, with pipes, as a task; and what its certificate is good for.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@shipway/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SSH_FILES } from '../../packages/cli/src/ssh/ssh-words.ts'
import { type SshAccess, withCertificate } from '../../packages/cli/src/ssh/with-certificate.ts'
import { createSshAuthority } from '../../packages/server/src/remote/ssh/ssh-authority.ts'
import { generateSshKey } from '../../packages/server/src/secrets/ssh-key.ts'
import { openDatabase } from '../../packages/server/src/store/database.ts'
import { type Forged, forgeSshCertificate } from '../../packages/server/test/access/forge-ssh-certificate.ts'
import { startSshdForPeople } from '../../packages/server/test/access/sshd-for-people.ts'
import { hasDocker } from '../../packages/server/test/docker/docker-engine.ts'
import { sharedEngine } from '../../packages/server/test/docker/shared-engine.ts'
import { buildUser } from '../../packages/server/test/factories.ts'
import { findProcesses } from '../../packages/server/test/process-list.ts'
import { freePort } from '../../tools/free-port.ts'
import { beginDockerJourney, type DockerJourney } from '../docker-journey.ts'
import { comesTrue, ended } from '../journey.ts'
import { askThrough, attackWords, readAuthorityKey, runSsh, withChanged } from './certificate-attacks.ts'
import { pipeMuch, workInShell } from './one-off-commands.ts'
import { openProgram, type Program } from './program.ts'
import { openTerminal } from './terminal.ts'
import { hasTmux, openTmux } from './tmux.ts'

const files = {
  '.service.yml': 'services:\n  web: { port: 3000, health: / }\ndocker: { compose: compose.yml }\n',
  'compose.yml': 'services:\n  web: { build: ., environment: { KEY: "${KEY}" }, stop_grace_period: 1s }\n',
  Dockerfile: `FROM shipway-test/busybox
RUN mkdir /www && echo one > /www/index.html
CMD ["httpd", "-f", "-p", "3000", "-h", "/www"]
`,
}

describe.skipIf(!hasDocker)('shipway run', () => {
  let journey: DockerJourney
  let program: Program
  let id: number
  let serverId: number

  beforeAll(async () => {
    journey = await beginDockerJourney('ssh', { drainSeconds: 0, letsPeopleIn: true })
    const { platform, client } = journey
    program = openProgram({ SHIPWAY_URL: platform.url, SHIPWAY_TOKEN: platform.filled.token })
    id = await journey.createEnvironment('main')
    await client.changeVariables({ params: { id }, body: { set: { KEY: 'canary-secret-in-terminal' } } })
    journey.commit(files)
    const { id: taskId } = await client.startDeployment({ params: { id } })
    expect(await ended(client, taskId)).toMatchObject({ status: 'succeeded' })
    serverId = (await client.getEnvironment({ params: { id } })).server.id
  })
  afterAll(async () => {
    program?.stop()
    await journey?.stop()
  })

  const at = ['run', '-p', 'hello', '-e', 'main'] as const
  const oneOffs = async (...more: string[]) => {
    const filter = [...journey.ofEnvironment(id), '--filter', 'label=shipway.mode=one_off', ...more]
    return (await journey.docker('ps', '--all', '--quiet', ...filter)).split('\n').filter(Boolean)
  }
  const isGone = () => comesTrue(async () => (await oneOffs()).length === 0)

  test.skipIf(!hasTmux)('in tmux: an editor, another size of the window, Ctrl-C, and the exit code', async () => {
    const tmux = await openTmux(program, { columns: 80, rows: 24 })
    try {
      tmux.type(`shipway ${at.join(' ')} -- sh\r`)
      await workInShell(tmux)
      // The shell outside.
      await tmux.shows(/^[#$] ?$/m)
      tmux.type('echo code-$?; stty size; stty -a | grep -o " icanon"\r')
      await tmux.shows(/^code-7\n30 100\n icanon$/m)
    } finally {
      await tmux.stop()
    }
    expect(await isGone()).toBe(true)
  })

  test('Ctrl-C ends a command that is the only process', async () => {
    // A container that runs has not started its command yet.
    const words = [...at, '--', 'sh', '-c', 'echo started; exec sleep 9999']
    const screen = openTerminal(program, words, { columns: 80, rows: 24 })
    try {
      await screen.shows(/^started$/m)
      screen.type('\u0003')
      expect(await screen.ended).toBe(130)
    } finally {
      screen.stop()
    }
    expect(await isGone()).toBe(true)
  })

  test('with pipes: 30 MB in, as many out, unchanged, and the exit code', async () => {
    await pipeMuch(program, at)
    expect(await isGone()).toBe(true)
  })

  test('a connection that ends takes the command with it', async () => {
    const { child } = program.start([...at, '--', 'sleep', '9999'])
    expect(await comesTrue(async () => (await oneOffs('--filter', 'status=running')).length === 1)).toBe(true)
    child.kill('SIGTERM')
    await once(child, 'exit')
    expect(await isGone()).toBe(true)
  })

  test('as a task: its output, and the exit code of the command', async () => {
    const words = [...at, '--detach', '--wait', '--', 'sh', '-c', 'echo from the task; exit 4']
    const { code, err } = await program.inProcess.run(words)
    expect(err).toContain('from the task')
    expect(code).toBe(4)
    const started = await program.inProcess.run([...at, '--detach', '--', 'true'])
    expect(started).toMatchObject({ code: 0 })
    expect(started.out).toMatch(/^Task \d+: the command is queued\nhttp/)
    const [, taskId] = /^Task (\d+)/.exec(started.out) ?? []
    expect(await ended(journey.client, Number(taskId))).toMatchObject({ status: 'succeeded' })
    expect(await isGone()).toBe(true)
  })

  const colleague = async (role: 'admin' | 'member') => {
    const database = await openDatabase(journey.platform.address)
    try {
      const { organization_id: organizationId } = await journey.client.getProject({ params: { id: journey.projectId } })
      const user = await buildUser({ db: database.db, clock: Date.now })
      const member = { organization_id: organizationId, user_id: user.id, role, created_at: Date.now() }
      await database.db.insertInto('memberships').values(member).execute()
      const client = createClient({ baseUrl: journey.platform.url, token: () => user.token })
      return { user, organizationId, client, token: user.token }
    } finally {
      await database.close()
    }
  }

  test('a member is refused, with a terminal and as a task', async () => {
    const { token } = await colleague('member')
    for (const more of [[], ['--detach']]) {
      const { code, err } = await program.inProcess.run([...at, ...more, '--', 'id'], { env: { SHIPWAY_TOKEN: token } })
      expect(err).toContain('This needs the role admin')
      expect(code).not.toBe(0)
    }
    expect(await oneOffs()).toEqual([])
  })

  describe('its certificate', () => {
    const order = { purpose: 'run', command: ['echo', 'ran'] } as const
    const issue = <Result>(
      use: (access: SshAccess) => Promise<Result>,
      client = journey.client,
      command: readonly string[] = order.command,
    ): Promise<Result> =>
      withCertificate(client, { serverId, environment_id: id, ...order, command: [...command] }, use)

    const authorityKey = async () => {
      const { organization_id: organizationId } = await journey.client.getServer({ params: { id: serverId } })
      return readAuthorityKey(journey.platform.address, organizationId)
    }
    /** As it was issued, but for these fields. */
    const forge = async ({ certificate, folder }: SshAccess, changes: Partial<Forged>) => {
      const { principals, critical_options: criticalOptions, extensions } = certificate
      const publicKey = readFileSync(join(folder, `${SSH_FILES.key}.pub`), 'utf8').trim()
      return forgeSshCertificate(await authorityKey(), {
        publicKey,
        principals,
        criticalOptions,
        extensions,
        ...changes,
      })
    }

    test('has a forced command without words of the user, and allows a terminal alone', async () => {
      await issue(async ({ certificate }) => {
        const forced = certificate.critical_options['force-command']
        expect(forced).toMatch(/^sh \.shipway\/[a-z0-9]+\/run-container\.sh shipway-[a-z0-9]+-\d+-terminal-\d+$/)
        expect(Object.keys(certificate.critical_options)).toEqual(['force-command'])
        expect(certificate.extensions).toEqual(['permit-pty'])
        const seconds = (Date.parse(certificate.valid_before) - Date.parse(certificate.valid_after)) / 1000
        expect(seconds).toBeLessThanOrEqual(180)
      })
    })

    test.each([
      ['another command', [], ['id']],
      ['a shell', ['-tt'], []],
      ['a shell text', [], ['; id; docker ps']],
    ])('runs its own command in place of %s', async (_, more, words) => {
      await issue(async (access) => {
        const { stdout } = await runSsh(access, more, words)
        expect(stdout.trim()).toBe('ran')
      })
    })

    test('runs it once', async () => {
      await issue(async (access) => {
        expect(await runSsh(access, [])).toMatchObject({ code: 0, stdout: 'ran\n' })
        const again = await runSsh(access, [])
        expect(again).toMatchObject({ code: 69, stdout: '' })
        expect(again.stderr).toContain('has run already')
      })
    })

    test('opens no port, no socket, no tunnel and no file transfer', async () => {
      const socksPort = await freePort()
      const engine = (await sharedEngine()).host.replace('unix://', '')
      const served = `http://127.0.0.1:${journey.servingPort}/`
      const through = (socket: string, url: string) => ['--unix-socket', socket, url]
      const listening: [string, (socket: string) => string[], (socket: string) => string[]][] = [
        ['-L to a port', (socket) => ['-L', `${socket}:127.0.0.1:${journey.servingPort}`], (s) => through(s, served)],
        ['-L to Docker', (socket) => ['-L', `${socket}:${engine}`], (s) => through(s, 'http://docker/version')],
        ['-D', () => ['-D', `127.0.0.1:${socksPort}`], () => ['--proxy', `socks5://127.0.0.1:${socksPort}`, served]],
      ]
      const refused: [string, string[], RegExp][] = [
        ['-W', ['-W', `127.0.0.1:${journey.servingPort}`], /stdio forwarding failed/],
        ['-R of a port', ['-N', '-R', '127.0.0.1:0:127.0.0.1:9'], /remote port forwarding failed/],
        ['-R of a socket', ['-N', '-R', `${journey.home}/own.sock:127.0.0.1:9`], /remote port forwarding failed/],
        ['-w', ['-N', '-w', '0:0'], /./],
      ]
      await issue(async (access) => {
        const attack = (row: (typeof listening)[number], by: SshAccess) => {
          const socket = join(access.folder, `${randomUUID()}.sock`)
          return askThrough(by, row[1](socket), row[2](socket))
        }
        for (const row of listening) {
          const { code, said } = await attack(row, access)
          expect(code, row[0]).not.toBe(0)
          expect(said, row[0]).toMatch(
            /^channel \d+: open failed: (administratively prohibited|connect failed): open failed$/m,
          )
        }
        for (const [name, options, message] of refused) {
          const { code, stderr } = await runSsh(access, ['-o', 'ExitOnForwardFailure=yes', ...options])
          expect(code, name).not.toBe(0)
          expect(stderr, name).toMatch(message)
        }
        const transfer = await runSsh(access, ['-s'], ['sftp'])
        expect(transfer.stdout.trim()).toMatch(/^(ran)?$/)
        // The attacks work for a certificate that allows all of it, as the platform's own do not either.
        const principals = access.certificate.principals.map((name) => name.replace(/-shell$/, ''))
        const extensions = ['permit-port-forwarding', 'permit-pty']
        const certificate = await forge(access, { principals, extensions, criticalOptions: {} })
        await withChanged(access, { certificate }, async (open) => {
          for (const row of listening) expect(await attack(row, open), row[0]).toMatchObject({ code: 0 })
        })
      })
    })

    test('takes no agent, no display and no variables along', async () => {
      const command = ['sh', '-c', 'env; sleep 9999']
      await issue(
        async (access) => {
          const socket = join(access.folder, 'agent.sock')
          const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' })
          const variables = 'SetEnv=DOCKER_HOST=tcp://127.0.0.1:9 BASH_ENV=/attack ENV=/attack PATH=/attack'
          const options = ['-A', '-Y', '-o', 'SendEnv=LC_ATTACK LD_PRELOAD', '-o', variables]
          const [program, ...words] = attackWords(access, options)
          const attacks = { DISPLAY: ':99', SSH_AUTH_SOCK: socket, LC_ATTACK: 'attack', LD_PRELOAD: '/attack' }
          expect(await comesTrue(async () => existsSync(socket))).toBe(true)
          const ssh = spawn(program, words, { cwd: access.folder, env: { ...process.env, ...attacks } })
          const ended = once(ssh, 'close')
          try {
            let seen = ''
            let said = ''
            ssh.stdout.on('data', (piece: Buffer) => (seen += piece))
            ssh.stderr.on('data', (piece: Buffer) => (said += piece))
            expect(await comesTrue(async () => seen.includes('canary-secret-in-terminal')), said).toBe(true)
            expect(said).toContain('X11 forwarding request failed')
            expect(seen).not.toMatch(/attack|SSH_|DISPLAY|127\.0\.0\.1:9$/m)
            const container = access.certificate.critical_options['force-command']?.split(' ').at(-1) ?? ''
            const onServer = findProcesses(container).map((pid) => readFileSync(`/proc/${pid}/environ`, 'latin1'))
            expect(onServer.length).toBeGreaterThan(0)
            for (const environment of onServer) {
              // As Debian's sshd does, the one here takes LC_*: so the others would be seen.
              expect(environment).toContain('LC_ATTACK=attack')
              expect(environment).not.toMatch(/=\/attack|SSH_AUTH_SOCK|DISPLAY|127\.0\.0\.1:9\0/)
            }
            ssh.kill()
            expect(await comesTrue(async () => (await oneOffs('--filter', `name=${container}`)).length === 0)).toBe(
              true,
            )
          } finally {
            ssh.kill()
            agent.kill()
            await ended
          }
        },
        journey.client,
        command,
      )
    })

    test('signs in within its time, at its server, and with its key alone', async () => {
      const home = mkdtempSync(join(tmpdir(), 'shipway-home-'))
      await issue(async (access) => {
        const { principals } = access.certificate
        const [principal = ''] = principals
        const { publicKey: peopleKey } = createSshAuthority(await authorityKey())
        const another = await startSshdForPeople({
          ...{ peopleKey, authorityKey: '', home },
          installationId: 'other',
          principal: principal.replace(/.-shell$/, (end) => (end.startsWith('0') ? '1' : '0')),
        })
        try {
          const { hostKey, port } = another
          const attacks: Record<string, Parameters<typeof withChanged>[1]> = {
            'once it has expired': { certificate: await forge(access, { from: -600, until: -1 }) },
            'before its time': { certificate: await forge(access, { from: 600, until: 1200 }) },
            'with another principal': { certificate: await forge(access, { principals: ['root'] }) },
            'without its certificate': { certificate: '' },
            'with another key': { key: generateSshKey('').privateKey.reveal() },
            'at another server': { port, knownHosts: `[127.0.0.1]:${port} ${hostKey}\n` },
          }
          for (const [name, changed] of Object.entries(attacks)) {
            const { code, stdout, stderr } = await withChanged(access, changed, (changedAccess) =>
              runSsh(changedAccess, []),
            )
            expect({ code, stdout, stderr }, name).toEqual({
              code: 255,
              stdout: '',
              stderr: expect.stringContaining('Permission denied'),
            })
          }
          // Of these, the host key tells.
          const unknown = await withChanged(access, { port }, (changedAccess) => runSsh(changedAccess, []))
          expect(unknown).toMatchObject({ code: 255, stderr: expect.stringContaining('Host key verification failed') })
          // What is forged like that signs in, if nothing is wrong with it.
          const certificate = await forge(access, {})
          const ran = await withChanged(access, { certificate }, (changedAccess) => runSsh(changedAccess, []))
          expect(ran).toMatchObject({ code: 0, stdout: 'ran\n' })
        } finally {
          await another.stop()
        }
      })
      rmSync(home, { recursive: true })
    })

    test('is refused after its user lost the role', async () => {
      const { user, organizationId, client } = await colleague('admin')
      await issue(async (access) => {
        const params = { id: organizationId, user_id: user.id }
        await journey.client.updateMember({ params, body: { role: 'member' } })
        const isRefused = async () => {
          const { code, stderr } = await runSsh(access, ['-N', '-o', 'ConnectTimeout=5'])
          return code === 255 && /Permission denied/.test(stderr)
        }
        expect(await comesTrue(isRefused)).toBe(true)
      }, client)
    })

    test('is not issued to a member, without a command, or for another environment of others', async () => {
      const { client } = await colleague('member')
      await expect(issue(async () => undefined, client)).rejects.toMatchObject({ code: 'insufficient_role' })
      const bare = { serverId, environment_id: id, purpose: 'run' } as const
      await expect(withCertificate(journey.client, bare, async () => undefined)).rejects.toMatchObject({
        code: 'validation_failed',
      })
      const elsewhere = { serverId, environment_id: id + 999, ...order, command: [...order.command] }
      await expect(withCertificate(journey.client, elsewhere, async () => undefined)).rejects.toMatchObject({
        code: 'not_found',
      })
    })
  })
})
