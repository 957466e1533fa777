// How install.sh checks a release, and finds and repairs what is installed: its own lines, run in a folder of the test.
import { spawn } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runProcess } from '../../remote/process.ts'

const deploy = join(import.meta.dirname, '../../../../../deploy')
const installer = readFileSync(join(deploy, 'install.sh'), 'utf8')
const [check = ''] = /^say "Checking \$name"$.*?(?=^# One at a time)/ms.exec(installer) ?? []
const [takeLock = ''] = /^# One at a time.*?(?=^# The next run keeps)/ms.exec(installer) ?? []
const [findRunning = ''] = /^# What would be repaired here.*?(?=^place=)/ms.exec(installer) ?? []
const [keep = ''] = /^keep\(\) .*?^\)$/ms.exec(installer) ?? []
const [ready = ''] = /^ready\(\) .*?^\}$/ms.exec(installer) ?? []
const name = 'shipway-1.16.0-linux-x64.tar.gz'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shipway-install-script-'))
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  writeFileSync(join(folder, name), 'the program')
  const list = `${createHash('sha256').update('the program').digest('hex')}  ${name}\n`
  writeFileSync(join(folder, 'SHA256SUMS'), list)
  writeFileSync(join(folder, 'SHA256SUMS.sig'), sign(null, Buffer.from(list), privateKey))
  writeFileSync(join(folder, 'release.pub'), publicKey.export({ type: 'spki', format: 'pem' }))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** What it says, and its exit code. */
async function checked(path = ''): Promise<string> {
  const start = `set -eu; PATH="${path}$PATH"; folder=$1; key=$1/release.pub; name=$2; unsigned=''`
  const functions = 'say() { :; }\nfail() { echo "$*"; exit 1; }'
  const { exitCode, stdout } = await runProcess(['sh', '-c', `${start}\n${functions}\n${check}`, 'sh', folder, name])
  return `${exitCode} ${stdout.toString('utf8').trim()}`
}

test('a release that is signed by the pinned key passes, and no other', async () => {
  expect(await checked()).toBe('0 ')
  appendFileSync(join(folder, 'SHA256SUMS'), '\n')
  expect(await checked()).toContain('1 The signature of SHA256SUMS is wrong')
})

test('an OpenSSL that cannot check the signature is named, and the release is not called wrong', async () => {
  mkdirSync(join(folder, 'bin'))
  const old =
    '#!/bin/sh\n[ "$1" != version ] || { echo OpenSSL 1.1.1k; exit; }\necho "Usage: pkeyutl [-pubin]" >&2; exit 1\n'
  writeFileSync(join(folder, 'bin/openssl'), old, { mode: 0o755 })
  expect(await checked(`${join(folder, 'bin')}:`)).toBe(
    '1 OpenSSL 1.1.1k cannot check the signature. Install OpenSSL 3.0 or newer',
  )
})

type Installed = {
  /** What the file `version` of each version says. */
  readonly versions?: Readonly<Record<string, string>>
  /** Where the link leads. */
  readonly current?: string
}

function addInstallation({ versions = {}, current }: Installed): void {
  mkdirSync(join(folder, 'versions'))
  for (const [version, text] of Object.entries(versions)) {
    mkdirSync(join(folder, 'versions', version))
    writeFileSync(join(folder, 'versions', version, 'version'), text)
  }
  if (current !== undefined) symlinkSync(`versions/${current}`, join(folder, 'current'))
  writeFileSync(join(folder, 'shipway-server'), '#!/bin/sh\necho "$*"\n', { mode: 0o755 })
}

/** What install.sh of 1.16.0 does about what is installed, before it unpacks the release; "installs" if it goes on. */
async function found(): Promise<string> {
  const start =
    'set -eu; PATH="$1/bin:$PATH"; programs=$1; command=$1/shipway-server; version=1.16.0; archive=a.tar.gz; unsigned= older='
  const functions = 'say() { :; }\nfail() { echo "$*"; exit 1; }'
  const script = `${start}\n${functions}\n${findRunning}\necho installs`
  const { exitCode, stdout } = await runProcess(['sh', '-c', script, 'sh', folder])
  return `${exitCode} ${stdout.toString('utf8').trim()}`
}

test.each<[string, Installed, string]>([
  ['nothing', {}, '0 installs'],
  ['the same version', { versions: { '1.16.0': '1.16.0\n' }, current: '1.16.0' }, '0 installs'],
  ['another version', { versions: { '1.15.0': '1.15.0\n' }, current: '1.15.0' }, '0 upgrade a.tar.gz'],
  ['the same version with an empty file', { versions: { '1.16.0': '' }, current: '1.16.0' }, '0 installs'],
  ['the same version without its folder', { current: '1.16.0' }, '0 installs'],
])('install.sh finds %s', async (_, installed, does) => {
  addInstallation(installed)
  expect(await found()).toBe(does)
})

test.each<[string, Installed]>([
  ['an empty file', { versions: { '1.15.0': '' }, current: '1.15.0' }],
  ['no folder', { current: '1.15.0' }],
])('a version with %s is repaired by its own release alone, and not upgraded in a circle', async (_, installed) => {
  addInstallation(installed)
  expect(await found()).toContain(
    'versions/1.15.0 is damaged, so 1.15.0 cannot be upgraded. Run install.sh of 1.15.0 first.',
  )
})

test.each([
  ['of the same version', '1.16.0', '0 installs'],
  ['of another version', '1.15.0', '0 upgrade a.tar.gz'],
])('a folder %s in place of the link becomes one of the versions', async (_, version, does) => {
  addInstallation({ versions: { [version]: 'another copy' } })
  mkdirSync(join(folder, 'current'))
  writeFileSync(join(folder, 'current/version'), `${version}\n`)
  expect(await found()).toBe(does)
  expect(readlinkSync(join(folder, 'current'))).toBe(`versions/${version}`)
  expect(readFileSync(join(folder, 'current/version'), 'utf8')).toBe(`${version}\n`)
})

test.each(['', '../versions', '.'])(
  'a folder in place of the link that names %j as its version stays',
  async (text) => {
    addInstallation({ versions: { '1.15.0': '1.15.0\n' } })
    mkdirSync(join(folder, 'current'))
    writeFileSync(join(folder, 'current/version'), text)
    expect(await found()).toContain('current is a folder that names no version')
    expect(readdirSync(join(folder, 'versions'))).toEqual(['1.15.0'])
  },
)

test('while another version is tried, and after that was interrupted, nothing is installed', async () => {
  addInstallation({ versions: { '1.16.0': '1.16.0\n' }, current: '1.16.0' })
  mkdirSync(join(folder, 'bin'))
  writeFileSync(
    join(folder, 'bin/systemctl'),
    '#!/bin/sh\n[ "$*" != "is-active shipway-next.service" ] || echo active\n',
    {
      mode: 0o755,
    },
  )
  expect(await found()).toContain('1 An upgrade is under way or was interrupted.')
})

test('a file that the next run keeps is there as a whole or not at all', async () => {
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  const keepIt = async (limit: string) =>
    (await runProcess(['sh', '-c', `set -eu; ${limit}; ${keep}\nkeep "$1" "$2" -m 600`, 'sh', from, to])).exitCode
  writeFileSync(from, 'x'.repeat(4000))
  expect(await keepIt('ulimit -f 1')).not.toBe(0)
  expect(existsSync(to)).toBe(false)
  expect(await keepIt(':')).toBe(0)
  expect(readFileSync(to, 'utf8')).toBe(readFileSync(from, 'utf8'))
  expect(statSync(to).mode & 0o777).toBe(0o600)
})

test('it runs when this version answers, and not when another one does', async () => {
  const server = createServer((_, response) => response.setHeader('x-service-version', 'v1.16.0').end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  mkdirSync(join(folder, 'current'))
  symlinkSync(process.execPath, join(folder, 'current/node'))
  const program = `set -eu; programs=$1 probe=$2 version=$3; ${ready}\nready`
  const isReady = async (version: string) =>
    (await runProcess(['sh', '-c', program, 'sh', folder, `127.0.0.1:${port}`, version])).exitCode
  expect([await isReady('1.16.0'), await isReady('1.15.0')]).toEqual([0, 1])
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** Two programs of the machine: install.sh up to its lock and then the lines given, and shipway-server with a program that waits. */
function buildMachine() {
  addInstallation({ versions: { '1.15.0': '1.15.0\n' }, current: '1.15.0' })
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'id'), '#!/bin/sh\necho 0\n', { mode: 0o755 })
  writeFileSync(join(folder, 'shipway.env'), '')
  writeFileSync(join(folder, 'current/shipway-server'), '#!/bin/sh\necho "$*"; exec cat\n', { mode: 0o755 })
  const command = readFileSync(join(deploy, 'run-command'), 'utf8')
    .replaceAll('/opt/shipway', folder)
    .replace('/etc/shipway/shipway.env', join(folder, 'shipway.env'))
  writeFileSync(join(folder, 'shipway-server'), command, { mode: 0o755 })
  const start =
    'set -eu; PATH="$1/bin:$PATH"; programs=$1; command=$1/shipway-server; version=1.16.0; archive=a.tar.gz; unsigned= older='
  const functions = 'say() { :; }\nfail() { echo "$*"; exit 1; }'
  const install = (rest: string) => ['-c', `${start}\n${functions}\n${takeLock}\n${rest}`, 'sh', folder]
  return { install, upgrade: ['-c', 'PATH="$1/bin:$PATH" exec "$1/shipway-server" upgrade', 'sh', folder] }
}

/** Runs until its input ends. */
async function held(words: readonly string[], work: () => Promise<void>): Promise<string> {
  const child = spawn('sh', words, { stdio: ['pipe', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
  try {
    const [line] = await once(child.stdout, 'data')
    await work()
    return String(line).trim()
  } finally {
    child.stdin.end()
    await exit
  }
}

const run = async (words: readonly string[]): Promise<string> => {
  const { exitCode, stdout, stderr } = await runProcess(['sh', ...words], { input: '' })
  return `${exitCode} ${Buffer.concat([stdout, stderr]).toString('utf8').trim()}`
}

test('of two install.sh, and of install.sh and an upgrade, one is refused while the other one runs', async () => {
  const { install, upgrade } = buildMachine()
  const installing = install('echo installs; cat')
  const refusal = 'An upgrade or another install.sh is under way. Wait until it has ended'
  const refused = async () => {
    expect(await run(installing)).toBe(`1 ${refusal}`)
    expect(await run(upgrade)).toBe(
      '1 shipway-server: Another upgrade or install.sh is under way. Wait until it has ended',
    )
  }
  expect(await held(installing, refused)).toBe('installs')
  // Another user could take it through a file that all can read.
  expect(statSync(join(folder, '.lock')).mode & 0o777).toBe(0o600)
  rmSync(join(folder, '.lock'))
  expect(await held(upgrade, refused)).toBe('upgrade')
  expect(statSync(join(folder, '.lock')).mode & 0o777).toBe(0o600)
  expect(await run(installing)).toBe('0 installs')
})

test('install.sh hands its lock over to the upgrade that it starts', async () => {
  const { install } = buildMachine()
  expect(await run(install(findRunning))).toBe('0 upgrade a.tar.gz')
})
