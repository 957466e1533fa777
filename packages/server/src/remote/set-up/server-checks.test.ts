import { describe, expect, test } from 'vitest'
import { listServerChecks } from './server-checks.ts'
import { readServerFacts, type ServerFacts } from './server-facts.ts'

const good = `shipway-check
time 1794720114
user shipway
folder /home/shipway/.shipway/a1
writable yes
command_users yes
room 81289424
git git version 2.39.5
curl curl 7.88.1 (aarch64-unknown-linux-gnu) libcurl/7.88.1 OpenSSL/3.0.22
socat yes
memory_total 24643328
memory_available 24243216
docker Docker version 26.1.5+dfsg1, build a72d7cd
docker_server 26.1.5+dfsg1
docker_room 52428800
compose 2.26.1-4
buildx github.com/docker/buildx 0.13.1+ds1 0.13.1+ds1-3
haproxy HAProxy version 2.6.12-1+deb12u3 2025/10/03 - https://haproxy.org/
edge_socket writable
edge_running Version: 2.6.12-1+deb12u3
configuration
our configuration
`

const facts = (output: string): ServerFacts => {
  const read = readServerFacts(output)
  if (!read) throw new Error('These are facts')
  return read
}
const checksOf = (output: string, changes: Partial<Parameters<typeof listServerChecks>[1]> = {}) =>
  listServerChecks(facts(output), {
    edge: 'haproxy',
    setUpLine: 'curl … | sudo sh',
    clockMs: 0,
    isEdgeConfig: (text, folder) => text === 'our configuration\n' && folder === '/home/shipway/.shipway/a1/edge',
    ...changes,
  })
/** The good answer without the lines with these names, and with others. */
const without = (beginning: RegExp, ...more: string[]): string => {
  const [begin = '', ...lines] = good.split('\n')
  return [begin, ...more, ...lines.filter((line) => !beginning.test(line))].join('\n')
}

test('access of people is reported if it was checked, and is never a failure', () => {
  const sshChecks = (letsPeopleIn?: boolean) =>
    checksOf(good, { letsPeopleIn }).filter(({ name }) => name === 'ssh_access')
  expect(sshChecks()).toEqual([])
  expect(sshChecks(true)).toMatchObject([{ status: 'ok', fix: null }])
  expect(sshChecks(false)).toMatchObject([{ status: 'warning', fix: expect.stringContaining('curl … | sudo sh') }])
})

test('a server without users for commands reports who runs them, as a warning', () => {
  const sshChecks = (setUpLine: string | null) =>
    checksOf(without(/^command_users/), { setUpLine }).filter(({ name }) => name === 'command_users')
  const message = expect.stringContaining('run as shipway, who can read the variables of every environment')
  expect(sshChecks('the line')).toMatchObject([
    { status: 'warning', message, fix: expect.stringContaining('the line') },
  ])
  expect(sshChecks(null)).toMatchObject([{ status: 'ok', message, fix: null }])
})

test('a server that has everything passes every check', () => {
  const checks = checksOf(good)
  expect(checks.filter(({ status, fix }) => status !== 'ok' || fix !== null)).toEqual([])
  expect(checks.map(({ name, message }) => `${name}: ${message}`)).toEqual([
    'account: shipway can write in /home/shipway/.shipway/a1',
    'command_users: Commands of the manual recipe run as a user of their environment',
    'git: git 2.39.5',
    'curl: curl 7.88.1',
    'docker: Docker 26.1.5 answers shipway',
    'compose: Compose 2.26.1',
    'buildx: Buildx 0.13.1',
    'socat: socat is installed',
    'haproxy: HAProxy 2.6.12 runs as the edge',
    'edge_configuration: /home/shipway/.shipway/a1/edge/haproxy.cfg is the one of this version',
    'disk: 77.5 GiB are free where the folder of the platform, /home/shipway/.shipway/a1, lies',
    "docker_disk: 50.0 GiB are free where Docker's folder lies",
    "clock: The clock agrees with the platform's",
    'memory: 23.1 GiB of 23.5 GiB memory are available',
  ])
})

describe('a missing part is reported with its fix', () => {
  test.each([
    [/^writable/, [], 'account', 'failed', 'cannot write in', 'sudo chown -R shipway: /home/shipway/.shipway/a1'],
    [/^git/, [], 'git', 'failed', 'git is not installed', 'sudo apt-get install git'],
    [/^curl/, [], 'curl', 'failed', 'curl is not installed', 'sudo apt-get install curl'],
    [
      /^(docker|compose|buildx)/,
      [],
      'docker',
      'failed',
      'Docker is not installed',
      'curl -fsSL https://get.docker.com | sudo sh. Then run the set-up there again: curl … | sudo sh',
    ],
    [/^docker_/, [], 'docker', 'failed', 'does not answer', 'systemctl enable --now docker'],
    [
      /^docker_/,
      ['docker_forbidden yes'],
      'docker',
      'failed',
      'shipway may not use Docker',
      'usermod -aG docker shipway',
    ],
    [
      /^docker_server/,
      ['docker_server 20.10.24'],
      'docker',
      'failed',
      '20.10.24; deployments need 24',
      'docs.docker.com',
    ],
    [/^compose/, ['compose v2.23.3'], 'compose', 'failed', '2.23.3; deployments need 2.24', 'docs.docker.com'],
    [/^compose/, [], 'compose', 'failed', 'Compose is missing', 'docs.docker.com'],
    [/^buildx/, [], 'buildx', 'failed', 'Buildx is missing', 'docs.docker.com'],
    [
      ...([/^never/, ['ignores_source_policy yes'], 'buildx', 'failed'] as const),
      ...(['Buildx 0.13.1 and Docker do not obey source policies', 'docs.docker.com'] as const),
    ],
    [
      ...([/^never/, ['builds_meet yes'], 'build_network', 'warning'] as const),
      ...(['Builds that run at the same time reach each other', '"icc": false'] as const),
    ],
    [
      ...([/^never/, ['metadata yes'], 'metadata', 'warning'] as const),
      ...(['Containers reach the metadata service', 'curl … | sudo sh'] as const),
    ],
    [/^socat/, [], 'socat', 'failed', 'socat is not installed', 'curl … | sudo sh'],
    [/^haproxy/, [], 'haproxy', 'failed', 'HAProxy is not installed', 'curl … | sudo sh'],
    [/^haproxy/, ['haproxy HA-Proxy version 2.2.9'], 'haproxy', 'failed', 'needs 2.6', 'newer'],
    [/^edge_/, [], 'haproxy', 'failed', 'the edge does not run', 'curl … | sudo sh'],
    [/^edge_running/, ['edge_running '], 'haproxy', 'failed', 'the edge does not run', 'curl … | sudo sh'],
    [/^edge_socket/, ['edge_socket forbidden'], 'haproxy', 'failed', 'may not change the routes', 'curl … | sudo sh'],
    [/^(configuration|our)/, [], 'edge_configuration', 'failed', 'haproxy.cfg is missing', 'curl … | sudo sh'],
    [/^our/, [], 'edge_configuration', 'warning', 'not the one', 'curl … | sudo sh'],
    [/^room/, ['room 2097151'], 'disk', 'failed', '2.0 GiB are free', 'larger disk'],
    [/^room/, ['room 10485759'], 'disk', 'warning', '10.0 GiB are free', 'larger disk'],
    [/^docker_room/, ['docker_room 1048576'], 'docker_disk', 'failed', '1.0 GiB are free', 'docker image prune'],
    [/^memory_a/, ['memory_available 102400'], 'memory', 'warning', '0.1 GiB of 23.5 GiB', 'more memory'],
  ])('%s, %j', (gone, more, name, status, message, fix) => {
    const check = checksOf(without(gone, ...more)).find((one) => one.name === name)
    expect(check).toMatchObject({
      status,
      message: expect.stringContaining(message),
      fix: expect.stringContaining(fix),
    })
  })
})

test('the clock may be off by five seconds, and by a minute at most', () => {
  const clock = (clockMs: number) => checksOf(good, { clockMs }).find(({ name }) => name === 'clock')
  expect(clock(5_000)).toMatchObject({ status: 'ok' })
  expect(clock(6_000)).toMatchObject({ status: 'warning', message: 'The clock is off by 6 seconds' })
  expect(clock(61_000)).toMatchObject({ status: 'failed', fix: expect.stringContaining('timedatectl') })
})

test('a server without an edge of its own needs no HAProxy', () => {
  const names = checksOf(good, { edge: 'embedded' }).map(({ name }) => name)
  expect(names).not.toContain('haproxy')
  expect(names).not.toContain('socat')
  expect(names).not.toContain('edge_configuration')
})

test('the machine of the platform has no line to paste, so no fix mentions one', () => {
  const fixes = checksOf(without(/^(docker|haproxy|socat)/), { setUpLine: null }).map(({ fix }) => fix ?? '')
  expect(fixes.filter((fix) => fix.includes('null') || fix.includes('set-up'))).toEqual([])
})

describe('output of a server', () => {
  test('is skipped up to the start of the facts', () => {
    expect(facts(`Welcome\ntime 1\n${good}`)).toEqual(facts(good))
  })

  test.each(['', 'shipway-check', 'shipway-check\nuser x\n', 'shipway-check\ntime soon\n', 'nonsense\n'])(
    'that is no answer, %j, is none',
    (output) => expect(readServerFacts(output)).toBeUndefined(),
  )

  test.each([
    [
      'the fuller of two',
      ['room 900', 'room_total 1000', 'docker_room 100', 'docker_room_total 4000'],
      { free: 100, total: 4000 },
    ],
    ['the one that was measured', ['room 900', 'room_total 1000'], { free: 900, total: 1000 }],
    ['an old answer without a size', ['room 900'], undefined],
    ['more free than there is', ['room 900', 'room_total 800'], undefined],
    ['larger than any', ['room 1', 'room_total 999999999999999'], undefined],
    ['no number', ['room 1', 'room_total 1e9'], undefined],
  ])('of disks tells %s', (_what, lines, disk) => {
    expect(facts(without(/^(docker_)?room/, ...lines)).disk).toEqual(disk)
  })

  test('has no control characters and a limited length', () => {
    const { user } = facts(without(/^user/, `user \u001b[31m\u202e${'x'.repeat(10_000)}`))
    expect(user).toBe('x'.repeat(200))
  })

  test('is quoted in commands to paste', () => {
    const answer = without(/^(folder|writable)/, 'folder /tmp/$(id)')
    expect(checksOf(answer).find(({ name }) => name === 'account')?.fix).toMatch(/chown -R shipway: '\/tmp\/\$\(id\)'$/)
  })

  test('counts as a size or version only if it is a number', () => {
    const { room, git } = facts(without(/^(room|git)/, 'room -5', 'git no version'))
    expect({ room, git }).toEqual({ room: undefined, git: { text: '0.0', major: 0, minor: 0 } })
    expect(facts(without(/^room/, 'room 99999999999999999999')).room).toBeUndefined()
  })
})
