// Commands that show and change settings: of projects, environments, servers, and of a checkout.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginJourney, type Journey } from '../journey.ts'
import { type InProcess, openInProcess } from './in-process.ts'

let journey: Journey
let program: InProcess

beforeAll(async () => {
  journey = await beginJourney('embedded', 'local')
  program = openInProcess({ SHIPWAY_URL: journey.platform.url, SHIPWAY_TOKEN: journey.platform.filled.token })
  await journey.createEnvironment('staging')
})
afterAll(async () => {
  program.stop()
  await journey.stop()
})

const run: InProcess['run'] = (words, how) => program.run(words, how)
const json: InProcess['json'] = (...words) => program.json(...words)

describe('projects', () => {
  test('a project is shown, and with --check its repository is tried', async () => {
    const shown = await run(['projects', 'show', 'hello'])
    expect(shown).toMatchObject({ code: 0, err: '' })
    expect(shown.out).toMatch(/^Hello \(\d+\) · active\n\n {2}Repository {7}/)
    expect(shown.out).toMatch(/^ {2}Environments {5}1 of 20$/m)
    expect(await json('projects', 'show', '-p', 'hello')).toMatchObject({ name: 'Hello', tls: 'off' })
    const empty = await run(['projects', 'show', 'hello', '--check'])
    expect({ code: empty.code, out: empty.out }).toEqual({ code: 1, out: expect.stringMatching(/^✗ .*no branches/m) })
    journey.commit({ 'README.md': 'hello' })
    const checked = await run(['projects', 'show', 'hello', '--check'])
    expect({ code: checked.code, out: checked.out }).toEqual({
      code: 0,
      out: expect.stringMatching(/^✓ .*\n.*\n {2}It has no \.service\.yml/m),
    })
    expect(await run(['projects', 'show', 'helo'])).toMatchObject({
      code: 5,
      err: expect.stringContaining('Did you mean Hello?'),
    })
  })

  test('edit changes what it names and nothing else', async () => {
    const before = await json('projects', 'show', 'hello')
    const edited = await run(
      [
        ...['projects', 'edit', 'hello', '--expire-after', '7d', '--drafts', 'off', '--pull-requests', 'label'],
        ...['--label', 'preview', '--label', 'demo', '--check', 'build'],
        ...['--custom-domain', 'shop.localhost', '--basic-auth', 'visitor'],
        ...['--owner', journey.platform.filled.email],
      ],
      { input: 'a-password-for-visitors\n' },
    )
    expect(edited, edited.err).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Changed .*expire-after.* of Hello\n$/),
    })
    const after = await json('projects', 'show', 'hello')
    expect(after).toEqual({
      ...before,
      // Derived from the others.
      effective_rules: expect.any(Array),
      expire_after: '7d',
      deploy_after_checks: ['build'],
      custom_domains: ['shop.localhost'],
      basic_auth: { username: 'visitor' },
      pull_requests: {
        ...before.pull_requests,
        enabled: 'label',
        labels: ['preview', 'demo'],
        drafts: false,
        expire_after: '7d',
      },
    })
    const waits = [
      'projects',
      'edit',
      'hello',
      '--host-token',
      '-',
      '--deploy-after',
      'checks',
      '--check-minutes',
      '30',
    ]
    expect(await run(waits, { input: 'a-token-of-the-host\n' })).toMatchObject({ code: 0 })
    expect((await run(['projects', 'show', 'hello'])).out).toMatch(
      /Deploy after +checks build, waiting at most 30 minutes\n(?:.*\n)* +Host token +set$/m,
    )
    await json('projects', 'edit', 'hello', '--deploy-after', 'push', '--check-minutes', 'none', '--host-token', 'none')
    const words = ['--expire-after', 'never', '--custom-domain', 'none', '--check', 'none']
    const more = ['--basic-auth', 'none', '--label', 'none', '--pull-requests', 'on', '--drafts', 'on']
    await json('projects', 'edit', 'hello', ...words, ...more)
    expect(await json('projects', 'show', 'hello')).toEqual(before)
  })

  test.each([
    [['projects', 'edit', 'hello'], /Give at least one setting to change/],
    [['projects', 'edit', 'hello', '--drafts', 'maybe'], /--drafts must be one of on, off/],
    [['projects', 'edit', 'hello', '--host-token', 'secret'], /type it, or pipe it in/],
    [['projects', 'edit', 'hello', '--host-token', '-', '--basic-auth', 'visitor'], /can hold only one value/],
    [['projects', 'edit', 'hello', '--environment-limit', 'x'], /must be a number/],
    [['projects', 'edit', 'hello', '--expire-after', 'soon'], /expire_after: Give hours or days/],
    [['projects', 'rotate', 'keys', '-p', 'hello'], /Give one of key, secret/],
    [['projects', 'rotate', 'key', '-p', 'hello'], /The deploy key of Hello would be replaced\nConfirm with --yes/],
    [['projects', 'delete', 'hello'], /The project Hello with staging would be deleted\nConfirm with --yes/],
    [['envs', 'silence', 'staging', '-p', 'hello', '--for', 'soon'], /is not a duration/],
    [['envs', 'grants', 'staging', '-p', 'hello', '--grant', 'host_path'], /Did you mean host_paths\?/],
    [['servers', 'remove', '1'], /would be removed\nConfirm with --yes/],
  ])('%j ends with 2', async (words, sentence) => {
    const { code, out, err } = await run(words)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(sentence)
  })

  test('rotate prints the new key and the new secret, each alone on standard output', async () => {
    const { repository_key: before } = await json('projects', 'show', 'hello')
    const key = await run(['projects', 'rotate', 'key', '-p', 'hello', '--yes'])
    expect(key).toMatchObject({ code: 0, out: expect.stringMatching(/^ssh-ed25519 \S+.*\n$/) })
    expect(key.out).not.toContain(before)
    const secret = await run(['projects', 'rotate', 'secret', '-p', 'hello', '--yes'])
    expect(secret).toMatchObject({ code: 0, out: expect.stringMatching(/^\S+\n$/) })
    expect(secret.err).toContain('It is shown only once.')
  })

  test('pull requests that wait and deliveries are listed', async () => {
    expect(await run(['projects', 'waiting', 'hello'])).toMatchObject({ code: 0, out: 'No pull request waits\n' })
    expect(await run(['projects', 'deliveries', 'hello'])).toMatchObject({
      code: 0,
      out: 'Nothing was delivered yet\n',
    })
    expect(await run(['tasks', 'list', '--active'])).toMatchObject({ code: 0, out: 'Nothing is queued or running\n' })
  })

  test('delete names what goes, needs --protected for protected environments, and deletes', async () => {
    const [{ id }] = await json('servers', 'list')
    await json(
      'projects',
      'create',
      'Gone',
      '--repo',
      'ssh://git@127.0.0.1/gone.git',
      '--domain',
      'gone.localhost',
      '--server',
      String(id),
      '--recipe',
      'manual',
    )
    await json('envs', 'create', 'demo', '-p', 'gone', '--protected')
    expect(await run(['projects', 'delete', 'gone', '--yes'])).toMatchObject({
      code: expect.any(Number),
      out: '',
      err: expect.stringContaining('rotected'),
    })
    expect(await run(['projects', 'delete', 'gone', '--yes', '--protected'])).toMatchObject({
      code: 0,
      out: 'Gone is being deleted\n',
    })
  })
})

describe('environments', () => {
  test('an environment is shown with its settings and its use', async () => {
    const shown = await run(['envs', 'show', 'staging', '-p', 'hello'])
    expect(shown.out).toMatch(/^Hello \/ staging \(\d+\) · not deployed yet\n\n {2}Address {4}http/)
    expect(shown.err).toBe('\nIts services: shipway status -p Hello -e staging\n')
    expect(await json('envs', 'show', '-p', 'hello', '-e', 'staging')).toMatchObject({
      name: 'staging',
      watched: false,
      silence: { silenced: false },
      traffic: { requests: 0 },
    })
  })

  test('edit changes what it names and nothing else', async () => {
    const show = () => json('envs', 'show', 'staging', '-p', 'hello')
    const before = await show()
    const words = ['--title', 'For show', '--auto-deploy', 'off', '--sticky', 'on', '--cpus', '1.5', '--memory', '512']
    const edited = await run(['envs', 'edit', 'staging', '-p', 'hello', ...words])
    expect(edited).toEqual({
      code: 0,
      out: 'Changed title, auto-deploy, sticky, limits of Hello / staging\n',
      err: 'Deploy it: shipway deploy -p Hello -e staging\n',
    })
    expect(await show()).toEqual({
      ...before,
      title: 'For show',
      auto_deploy: false,
      sticky: true,
      limits: { ...before.limits, cpus: 1.5, memory_mb: 512, defaults: ['processes'] },
      updated_at: expect.any(String),
    })
    await json('envs', 'edit', 'staging', '-p', 'hello', '--cpus', 'default', '--memory', 'default')
    expect((await show()).limits).toEqual(before.limits)
  })

  test('schedules are paused, run where the file does not say so, and go back to the file', async () => {
    const at = ['staging', '-p', 'hello']
    for (const [word, schedules, line] of [
      ['off', false, /^ {2}Schedules +paused$/m],
      ['on', true, /^ {2}Schedules +all run here$/m],
    ] as const) {
      expect(await json('envs', 'edit', ...at, '--schedules', word)).toMatchObject({ schedules })
      expect((await run(['envs', 'show', ...at])).out).toMatch(line)
    }
    expect(await json('envs', 'edit', ...at, '--schedules', 'file')).toMatchObject({ schedules: null })
    expect((await run(['envs', 'show', ...at])).out).not.toContain('Schedules')
  })

  test('watch, silence and grants change and show what they change', async () => {
    const at = ['staging', '-p', 'hello']
    expect(await json('envs', 'watch', ...at)).toMatchObject({ watched: true })
    expect(await json('envs', 'silence', ...at, '--for', '2h')).toMatchObject({
      silenced: true,
      until: expect.any(String),
    })
    const shown = (await run(['envs', 'show', ...at])).out
    expect(shown).toMatch(/Alerts +silenced, ends in 1 hour/)
    expect(shown).toMatch(/Mails +you get one when a deployment fails/)
    expect(await json('envs', 'watch', ...at, '--off')).toMatchObject({ watched: false })
    expect(await json('envs', 'silence', ...at, '--off')).toMatchObject({ silenced: false })
    const granted = await run(['envs', 'grants', ...at, '--grant', 'host_paths', '--grant', 'host_ports'])
    expect(granted.out).toMatch(/^ {2}host_paths +\S.*ago/m)
    const left = await json('envs', 'grants', ...at, '--revoke', 'host_ports')
    expect(left.filter(({ granted: is }: { granted: boolean }) => is)).toMatchObject([{ capability: 'host_paths' }])
  })

  test('approve says so where nothing waits for an approval, and --removed lists what is gone', async () => {
    expect(await run(['envs', 'approve', 'staging', '-p', 'hello', '--yes'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('needs no approval'),
    })
    await json('envs', 'create', 'short', '-p', 'hello')
    await json('envs', 'remove', 'short', '-p', 'hello', '--yes', '--wait')
    expect((await run(['envs', 'list', '-p', 'hello', '--removed'])).out).toMatch(/^ {2}short +\S.* by /m)
  })
})

describe('servers', () => {
  test('are listed, shown, edited and removed, and server is servers', async () => {
    const [first] = await json('servers', 'list')
    expect(await json('server', 'list')).toEqual([first])
    expect((await run(['server', '--help'])).out).toContain('Usage: shipway servers <command>')
    await json('servers', 'add', 'Harbor', '--hostname', 'harbor.example.com')
    expect((await run(['servers', 'list'])).out).toMatch(
      /^ {2}Harbor +shipway-deploy@harbor\.example\.com .* needs setup$/m,
    )
    const shown = await run(['servers', 'show', 'harbor'])
    expect(shown.out).toMatch(/^Harbor \(\d+\) · needs setup\n\n {2}Address {4}harbor\.example\.com:22$/m)
    expect(shown.err).toContain('server.sh')
    expect(await json('servers', 'edit', 'harbor', '--port', '2222', '--name', 'Quay')).toMatchObject({ port: 2222 })
    expect(await run(['servers', 'remove', 'quay', '--yes'])).toMatchObject({
      code: 0,
      out: 'Removed the server Quay (harbor.example.com)\n',
    })
    const used = await run(['servers', 'remove', String(first.id), '--yes'])
    expect(used).toMatchObject({ code: 6, out: '', err: expect.stringContaining('Take it off') })
  })
})

describe('link', () => {
  const git = (folder: string, ...words: string[]) => execFileSync('git', ['-C', folder, ...words], { stdio: 'pipe' })
  let checkout: string
  let linked: InProcess
  beforeAll(() => {
    // SHIPWAY_TOKEN needs an address of its own, so the link is tried with one: that of the same platform.
    linked = openInProcess({ SHIPWAY_URL: journey.platform.url, SHIPWAY_TOKEN: journey.platform.filled.token })
    checkout = join(linked.home, 'checkout')
    execFileSync('git', ['init', '--quiet', '--initial-branch=main', checkout])
    git(
      checkout,
      '-c',
      'user.name=x',
      '-c',
      'user.email=x@example.com',
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      'x',
    )
    mkdirSync(join(checkout, 'deep'))
  })
  afterAll(() => linked.stop())
  const inside = (...words: string[]) => linked.run(words, { folder: join(checkout, 'deep') })

  test('finds the project by origin, counts in every folder and worktree, and leaves the checkout as it is', async () => {
    expect(await inside('link')).toMatchObject({ code: 2, err: expect.stringContaining('no remote called origin') })
    git(checkout, 'remote', 'add', 'origin', 'git@git.example.com:no/such.git')
    expect(await inside('link')).toMatchObject({ code: 2, err: expect.stringContaining('No project uses git@git') })
    const { repo_url: url } = await linked.json('projects', 'show', 'hello')
    git(checkout, 'remote', 'set-url', 'origin', url)
    expect(await inside('envs', 'list')).toMatchObject({
      code: 2,
      err: expect.stringContaining('shipway link PROJECT'),
    })
    expect(await inside('link')).toMatchObject({ code: 0, out: expect.stringMatching(/^Linked to Hello at /) })
    expect(await inside('envs', 'show')).toMatchObject({ code: 0, out: expect.stringMatching(/^Hello \/ staging/) })
    git(checkout, 'worktree', 'add', '--quiet', join(linked.home, 'worktree'), '-b', 'other')
    expect(await linked.run(['projects', 'show'], { folder: join(linked.home, 'worktree') })).toMatchObject({ code: 0 })
    expect(await linked.run(['projects', 'show'])).toMatchObject({ code: 2 })
    expect(String(execFileSync('git', ['-C', checkout, 'status', '--porcelain', '--ignored']))).toBe('')
  })

  test('wins over .shipway, does not count at another platform, and is removed', async () => {
    writeFileSync(join(checkout, '.shipway'), '{"project": "other"}')
    expect(await inside('link', 'helo')).toMatchObject({ code: 5, err: expect.stringContaining('Did you mean Hello?') })
    expect(await inside('link', 'hello', '-e', 'staging')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Linked to Hello \/ staging at /),
    })
    expect(await inside('vars', 'list', '--json')).toMatchObject({ code: 0 })
    expect(await inside('vars', 'list', '-p', 'Hello', '--json')).toMatchObject({ code: 0 })
    expect((await inside('link', '--show')).out).toMatch(/^Hello \/ staging at http.*, by shipway link\n$/)
    expect((await inside('link', '--show', '--url', 'http://127.0.0.1:9')).out).toMatch(/^other, by .*\.shipway\n$/)
    expect(await inside('link', '--remove')).toMatchObject({ code: 0 })
    expect(await inside('projects', 'show')).toMatchObject({ code: 5, err: expect.stringContaining('called other') })
  })
})
