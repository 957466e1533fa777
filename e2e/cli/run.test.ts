// `shipway run` on a real Docker Engine and a real sshd: with a terminal, with pipes, as a task; and what its certificate is good for.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { createClient } from '@shipway/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sshWords } from '../../packages/cli/src/ssh/ssh-words.ts'
import { type SshAccess, withCertificate } from '../../packages/cli/src/ssh/with-certificate.ts'
import { openDatabase } from '../../packages/server/src/store/database.ts'
import { hasDocker } from '../../packages/server/test/docker/docker-engine.ts'
import { buildUser } from '../../packages/server/test/factories.ts'
import { beginDockerJourney, type DockerJourney } from '../docker-journey.ts'
import { comesTrue, ended } from '../journey.ts'
import { openProgram, type Program, SHIPWAY } from './program.ts'
import { openTerminal } from './terminal.ts'

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
    expect(await ended(client, taskId, 180)).toMatchObject({ status: 'succeeded' })
    serverId = (await client.getEnvironment({ params: { id } })).server.id
  }, 240_000)
  afterAll(async () => {
    program?.stop()
    await journey?.stop()
  })

  const at = ['run', '-p', 'hello', '-e', 'main'] as const
  const oneOffs = async (...more: string[]) => {
    const filter = [...journey.ofEnvironment(id), '--filter', 'label=shipway.mode=one_off', ...more]
    return (await journey.docker('ps', '--all', '--quiet', ...filter)).split('\n').filter(Boolean)
  }
  const isGone = () => comesTrue(async () => (await oneOffs()).length === 0, 30)

  test('with a terminal: an editor, another size of the window, Ctrl-C, and the exit code', {
    timeout: 120_000,
  }, async () => {
    const screen = openTerminal(program, [...at, '--', 'sh'], { columns: 80, rows: 24 })
    try {
      await screen.shows(/# $/m)
      screen.type('echo key=$KEY; stty size; tty\r')
      await screen.shows(/^key=canary-secret-in-terminal\n24 80\n\/dev\/pts\/0$/m)
      screen.resize(100, 30)
      screen.type('clear; stty size\r')
      await screen.shows(/^30 100$/m)
      screen.type('vi note\r')
      await screen.shows(/^~$/m)
      screen.type('iwritten in vi')
      await screen.shows(/^I note/m)
      screen.type('\u001b')
      await screen.shows(/^- note/m)
      screen.type(':wq\r')
      await screen.shows(/# $/m)
      screen.type('clear; cat note; sleep 9999\r')
      await screen.shows(/^written in vi$/m)
      screen.type('\u0003')
      screen.type('echo ended-$?\r')
      await screen.shows(/^ended-130$/m)
      screen.type('exit 7\r')
      expect(await screen.ended).toBe(7)
    } finally {
      screen.stop()
    }
    expect(await isGone()).toBe(true)
  })

  test('Ctrl-C ends a command that is the only process', { timeout: 60_000 }, async () => {
    const screen = openTerminal(program, [...at, '--', 'sleep', '9999'], { columns: 80, rows: 24 })
    try {
      expect(await comesTrue(async () => (await oneOffs()).length === 1, 30)).toBe(true)
      const [container = ''] = await oneOffs()
      const isRunning = async () => (await journey.docker('inspect', '--format', '{{.State.Status}}', container)).trim()
      expect(await comesTrue(async () => (await isRunning()) === 'running', 30)).toBe(true)
      screen.type('\u0003')
      expect(await screen.ended).toBe(130)
    } finally {
      screen.stop()
    }
    expect(await isGone()).toBe(true)
  })

  test('with pipes: 100 MB in, as many out, unchanged, and the exit code', { timeout: 180_000 }, async () => {
    const line = 'head -c 100000000 /dev/zero | tr "\\0" x | "$@" 2>/dev/null | wc -c; echo "${PIPESTATUS[2]}"'
    const client = [process.execPath, SHIPWAY, ...at, '--', 'sh', '-c', 'cat; exit 5']
    const { stdout } = await promisify(execFile)('bash', ['-c', line, 'bash', ...client], {
      env: program.environment(),
      cwd: program.home,
    })
    expect(stdout).toBe('100000000\n5\n')
    expect(await isGone()).toBe(true)
  })

  test('a connection that ends takes the command with it', { timeout: 60_000 }, async () => {
    const { child } = program.start([...at, '--', 'sleep', '9999'])
    expect(await comesTrue(async () => (await oneOffs('--filter', 'status=running')).length === 1, 30)).toBe(true)
    child.kill('SIGTERM')
    await once(child, 'exit')
    expect(await isGone()).toBe(true)
  })

  test('as a task: its output, and the exit code of the command', { timeout: 60_000 }, async () => {
    const words = [...at, '--detach', '--wait', '--', 'sh', '-c', 'echo from the task; exit 4']
    const { code, err } = await program.run(words)
    expect(err).toContain('from the task')
    expect(code).toBe(4)
    const started = await program.run([...at, '--detach', '--', 'true'])
    expect(started).toMatchObject({ code: 0 })
    expect(started.out).toMatch(/^Task \d+: the command is queued\nhttp/)
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

  test('a member is refused, with a terminal and as a task', { timeout: 60_000 }, async () => {
    const { token } = await colleague('member')
    for (const more of [[], ['--detach']]) {
      const { code, err } = await program.run([...at, ...more, '--', 'id'], { env: { SHIPWAY_TOKEN: token } })
      expect(err).toContain('This needs the role admin')
      expect(code).not.toBe(0)
    }
    expect(await oneOffs()).toEqual([])
  })

  describe('its certificate', () => {
    const order = { purpose: 'run', command: ['echo', 'ran'] } as const
    const issue = <Result>(use: (access: SshAccess) => Promise<Result>, client = journey.client): Promise<Result> =>
      withCertificate(client, { serverId, environment_id: id, ...order, command: [...order.command] }, use)
    /** Runs ssh with more options, and other words after the host. */
    const ssh = async ({ certificate, folder }: SshAccess, more: readonly string[], words: readonly string[] = []) => {
      // The client itself forwards nothing.
      const own = sshWords(certificate, more).map((word) =>
        word.replace('ClearAllForwardings=yes', 'ClearAllForwardings=no'),
      )
      const [file, ...rest] = [...own, ...words]
      return promisify(execFile)(file ?? '', rest, { cwd: folder, timeout: 20_000 }).then(
        ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
        ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
      )
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
    ])('runs its own command in place of %s', { timeout: 60_000 }, async (_, more, words) => {
      await issue(async (access) => {
        const { stdout } = await ssh(access, more, words)
        expect(stdout.trim()).toBe('ran')
      })
    })

    test('runs it once', { timeout: 60_000 }, async () => {
      await issue(async (access) => {
        expect(await ssh(access, [])).toMatchObject({ code: 0, stdout: 'ran\n' })
        const again = await ssh(access, [])
        expect(again).toMatchObject({ code: 69, stdout: '' })
        expect(again.stderr).toContain('has run already')
      })
    })

    test('opens no port, no tunnel and no file transfer', { timeout: 60_000 }, async () => {
      await issue(async (access) => {
        const port = String(journey.servingPort)
        const options = ['-o', 'ExitOnForwardFailure=yes']
        const direct = await ssh(access, [...options, '-W', `127.0.0.1:${port}`])
        expect(direct.code).not.toBe(0)
        expect(direct.stderr).toMatch(/stdio forwarding failed/)
        const remote = await ssh(access, [...options, '-N', '-R', '127.0.0.1:0:127.0.0.1:9'])
        expect(remote.code).not.toBe(0)
        expect(remote.stderr).toMatch(/remote port forwarding failed/)
        const transfer = await ssh(access, ['-s'], ['sftp'])
        expect(transfer.stdout.trim()).toMatch(/^(ran)?$/)
        const tunnel = await ssh(access, [...options, '-N', '-w', '0:0'])
        expect(tunnel.code).not.toBe(0)
      })
    })

    test('is refused after its user lost the role', { timeout: 60_000 }, async () => {
      const { user, organizationId, client } = await colleague('admin')
      await issue(async (access) => {
        const params = { id: organizationId, user_id: user.id }
        await journey.client.updateMember({ params, body: { role: 'member' } })
        const isRefused = async () => {
          const { code, stderr } = await ssh(access, ['-N', '-o', 'ConnectTimeout=5'])
          return code === 255 && /Permission denied/.test(stderr)
        }
        expect(await comesTrue(isRefused, 50)).toBe(true)
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
