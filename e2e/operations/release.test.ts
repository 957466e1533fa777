// The built platform in a folder of its own: it runs, deploys and backs up on a machine that has no checkout.
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, verify } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@shipway/api'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildClient } from '../../packages/cli/build.ts'
import { buildDocs } from '../../packages/docs/build.ts'
import { buildServer } from '../../packages/server/build.ts'
import { buildDashboard } from '../../packages/web/build.ts'
import { freePort } from '../../tools/free-port.ts'
import { makeDatabase, settingsOf, startProgram, stopProcess } from '../../tools/platform.ts'
import { takePortBlock } from '../../tools/port-block.ts'
import { copyRelease } from '../../tools/release/copy-release.ts'
import { makeRelease } from '../../tools/release/make-release.ts'
import { beginProject, buildOwner, ended } from '../journey.ts'

const checkout = join(import.meta.dirname, '../..')
let folder: string
let release: string

beforeAll(async () => {
  await buildServer()
  await buildClient()
  await buildDashboard({ isQuiet: true })
  await buildDocs()
  folder = mkdtempSync(join(tmpdir(), 'shipway-release-'))
  release = join(folder, 'moved')
  copyRelease(release)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('no file of it names the folder where it was built, and there are no sources and no node_modules', () => {
  const files = globSync('**/*', { cwd: release, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'node')
    .map((entry) => join(entry.parentPath, entry.name))
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => readFileSync(file, 'latin1').includes(checkout))).toEqual([])
  expect(files.filter((file) => /\.tsx?$|node_modules/.test(file))).toEqual([])
})

test('another checkout makes the same bytes, with checksums, a signature and a bill of materials', {
  timeout: 900_000,
}, async () => {
  // Beside the libraries of this one, which can then be linked.
  mkdirSync(join(checkout, '.real-parts'), { recursive: true })
  const other = copyCheckout(mkdtempSync(join(checkout, '.real-parts', 'checkout-')))
  onTestFinished(() => rmSync(other, { recursive: true, force: true }))
  const key = join(folder, 'key.pem')
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const built = ['packages/cli/build.ts', 'packages/web/build.ts', 'packages/docs/build.ts', 'packages/server/build.ts']
  const release = ['tools/release/make-release.ts', '--uncommitted', '--no-image', '--key', key]
  for (const words of [...built.map((file) => [file]), release])
    execFileSync(process.execPath, words, { cwd: other, stdio: 'pipe', env: { ...process.env, NODE_ENV: '' } })
  const files = makeRelease({ folder: join(folder, 'here'), key: privateKey })
  const [here, there] = [join(folder, 'here'), join(other, 'dist-release')]
  expect(files.map((name) => [name, readFileSync(join(here, name)).equals(readFileSync(join(there, name)))])).toEqual(
    files.map((name) => [name, true]),
  )

  execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: here, stdio: 'pipe' })
  const checksums = readFileSync(join(here, 'SHA256SUMS'))
  expect(verify(null, checksums, publicKey, readFileSync(join(here, 'SHA256SUMS.sig')))).toBe(true)
  const bill = JSON.parse(readFileSync(join(here, files.find((name) => name.endsWith('.cdx.json')) ?? ''), 'utf8'))
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' })
  const names = bill.components.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['fastify', 'kysely', 'zod', 'node']))
  // Tools that build and test are not in it.
  expect(names.filter((name: string) => ['vitest', 'esbuild', 'typescript', 'playwright-core'].includes(name))).toEqual(
    [],
  )
})

const CACHES: readonly string[] = ['.cache', '.vite', '.vite-temp']

/** The files that a commit of now would have, in another folder, with the libraries of this one. */
function copyCheckout(place: string): string {
  const git = (...words: readonly string[]): string =>
    execFileSync('git', ['-C', checkout, ...words], { encoding: 'utf8' })
  for (const file of git('ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0').filter(Boolean)) {
    const from = join(checkout, file)
    if (existsSync(from)) cpSync(from, join(place, file))
  }
  writeFileSync(join(place, '.git'), `gitdir: ${git('rev-parse', '--absolute-git-dir')}`)
  for (const part of ['.', ...readdirSync(join(checkout, 'packages')).map((name) => `packages/${name}`)]) {
    const libraries = join(checkout, part, 'node_modules')
    if (!existsSync(libraries)) continue
    const linked = join(place, part, 'node_modules')
    mkdirSync(linked)
    // Other tests write to the caches meanwhile.
    const names = readdirSync(libraries).filter((name) => !CACHES.includes(name))
    // Hard links: the bundler would write the path behind a symbolic one.
    if (names.length > 0) execFileSync('cp', ['-al', '--', ...names.map((name) => join(libraries, name)), linked])
  }
  return place
}

test('libraries that are loaded later work there', async () => {
  const script = `
    const { Client, crypto } = await import(process.argv[1] + '/acme-client.mjs')
    const [key, request] = await crypto.createCsr({ altNames: ['one.example.com'] })
    const { domains } = crypto.readCsrDomains(request)
    const { default: Provider } = await import(process.argv[1] + '/oidc-provider.mjs')
    console.log(typeof Client, key.length > 0, domains ?? crypto.readCsrDomains(request), Provider.name)`
  const words = ['--input-type=module', '--eval', script, join(release, 'packages/server/dist')]
  const said = execFileSync(join(release, 'node'), words, { cwd: '/', encoding: 'utf8' })
  expect(said).toMatch(/^function true .*one\.example\.com.*Provider/s)
})

test('it deploys and backs up where the checkout does not exist', async () => {
  const { address, filled: owner, remove } = await makeDatabase('embedded', buildOwner)
  const ports = await takePortBlock()
  const port = await freePort()
  const settings = { ...settingsOf(address, port), SHIPWAY_PORTS: ports.range }
  const platform = await startProgram(withoutCheckout(join(release, 'shipway-server')), settings)
  const url = `http://127.0.0.1:${port}`
  const project = await beginProject({ url, token: owner.token, connection: 'ssh' })
  try {
    const client = createClient({ baseUrl: url, token: () => owner.token })
    // Large enough for a thread, which is a program of its own.
    const comment = `# ${'.'.repeat(100)}\n`.repeat(100)
    project.commit({ '.service.yml': `${comment}${SERVICE}` })
    const environmentId = await project.createEnvironment('main')
    const { id } = await client.startDeployment({ params: { id: environmentId } })
    expect(await ended(client, id)).toMatchObject({ status: 'succeeded' })
    expect(await client.readTaskLog({ params: { id } })).toContain('deployed by the release')
    for (const path of ['/', '/client/shipway.mjs', '/client/shipway.tgz', '/server.sh']) {
      const answer = await fetch(new URL(path, url))
      expect(answer.status, path).toBe(200)
      // A body that is not read keeps its connection open.
      await answer.arrayBuffer()
    }

    const file = join(folder, 'monday.backup')
    const [program = '', ...words] = withoutCheckout(join(release, 'shipway-server'))
    execFileSync(program, [...words, 'backup', file], { env: { ...process.env, ...settings }, stdio: 'pipe' })
    expect(statSync(file).size).toBeGreaterThan(1000)
    expect(existsSync(join(checkout, 'package.json'))).toBe(true)
  } finally {
    await stopProcess(platform)
    await project.stop()
    await ports.release()
    await remove()
  }
})

const SERVICE = `
services:
  web: {}
manual:
  deploy:
    - name: Say hello
      run: echo deployed by the release
`

/** Runs a program in a mount namespace where the folder of the checkout is empty, from the root folder. */
const withoutCheckout = (...words: readonly string[]): string[] => [
  ...['unshare', '--mount', 'sh', '-c', 'mount -t tmpfs none "$0" && cd / && exec "$@"', checkout],
  ...words,
]
