// Wrong settings and an unusable data folder end the start with a sentence, and never with a stack.
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildServer } from '../../packages/server/build.ts'
import { freePort } from '../../tools/free-port.ts'
import { OURS } from '../../tools/platform.ts'

const program = join(import.meta.dirname, '../..', OURS)
let folder: string
let port: number
beforeAll(async () => {
  await buildServer()
  folder = mkdtempSync(join(tmpdir(), 'shipway-refused-'))
  port = await freePort()
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Starts the platform, `before` whose words are run in its place, and returns what it said until it ended. */
function startOn(data: string, settings: Record<string, string> = {}, before: readonly string[] = []): string {
  const [first = '', ...words] = [...before, process.execPath, program]
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const environment = { PATH, NODE_COMPILE_CACHE, SHIPWAY_DATA: data, SHIPWAY_PORT: String(port), ...settings }
  const { status, stdout, stderr } = spawnSync(first, words, { env: environment, encoding: 'utf8', timeout: 60_000 })
  expect(status, stdout + stderr).toBe(1)
  expect(stderr).not.toMatch(/^ {4}at /m)
  return stderr.trim()
}

/** Mounts a small disk at a folder, in a namespace that ends with the program. */
const withDisk = (data: string, options: string, then = ':'): string[] => [
  ...['unshare', '--mount', 'sh', '-c'],
  ...[`mount -t tmpfs -o ${options} none "$0" && cd "$0" && ${then} && exec "$@"`, data],
]

const makeFolder = (name: string): string => {
  const path = join(folder, name)
  mkdirSync(path)
  return path
}

test.each(['192.0.2.1', 'no-such-host.invalid', '2001:db8::1'])('SHIPWAY_HOST %s', (host) => {
  const data = join(folder, `host-${host.replaceAll(/[^a-z0-9]/g, '-')}`)
  expect(startOn(data, { SHIPWAY_HOST: host })).toMatch(`SHIPWAY_HOST: ${host} is no address of this machine. Give`)
})

test('SHIPWAY_TRUSTED_PROXIES, SHIPWAY_ALLOWED_NETWORKS and a misspelled name', () => {
  const data = join(folder, 'settings')
  const settings = { SHIPWAY_TRUSTED_PROXIES: 'proxy', SHIPWAY_ALLOWED_NETWORKS: '10.0.0.0/99' }
  expect(startOn(data, settings).split('\n')).toEqual([
    expect.stringMatching(/^SHIPWAY_TRUSTED_PROXIES: "proxy" is not understood/),
    expect.stringMatching(/^SHIPWAY_ALLOWED_NETWORKS: "10.0.0.0\/99" is not understood/),
  ])
  expect(startOn(data, { SHIPWAY_HOSTS: '::' })).toBe('SHIPWAY_HOSTS is not a setting. Did you mean SHIPWAY_HOST?')
  expect(existsSync(data)).toBe(false)
})

test('a data folder that is read-only', () => {
  const data = makeFolder('read-only')
  expect(startOn(data, {}, withDisk(data, 'ro'))).toBe(
    `The data folder ${data} is read-only. Mount it writable, or choose another with SHIPWAY_DATA.`,
  )
})

test('a data folder that is read-only since its last start', () => {
  const data = makeFolder('became-read-only')
  const settings = { SHIPWAY_HOST: '192.0.2.1' }
  startOn(data, settings)
  const remount = [
    'unshare',
    '--mount',
    'sh',
    '-c',
    'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"',
  ]
  expect(startOn(data, settings, [...remount, data])).toMatch(/^The data folder .* is read-only/)
})

test.each(['', '/below'])('a data folder that is a file%s', (below) => {
  const file = join(folder, `file${below.replace('/', '-')}`)
  writeFileSync(file, '')
  expect(startOn(file + below)).toBe(`${file}${below} is not a folder. Choose another data folder with SHIPWAY_DATA.`)
})

test('a data folder of another user', () => {
  const data = makeFolder('foreign')
  chownSync(data, 65_534, 65_534)
  // Root without the right to ignore permissions is like any other user.
  const unprivileged = ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-dac_override']
  spawnSync('chmod', ['700', data])
  expect(startOn(data, {}, unprivileged)).toMatch(/^This user \(0\) may not write to the data folder .*chown -R/)
})

test.each(['shipway.db', 'shipway.lock'])('a data folder with a file of another program as %s', (name) => {
  const data = makeFolder(`strange-${name}`)
  writeFileSync(join(data, name), 'not a database, but long enough to be one: '.repeat(100))
  expect(startOn(data)).toMatch(/^The data folder .* has a file of another program/)
})

test.each([0, 64, 256, 512])('a data folder on a full disk, with %i KiB left', (left) => {
  const data = makeFolder(`full-${left}`)
  const fill = `head -c ${(1024 - left) * 1024} /dev/zero >large`
  expect(startOn(data, {}, withDisk(data, 'size=1m', fill))).toBe(
    `The disk of the data folder ${data} is full. Free some space there, then start again.`,
  )
})
