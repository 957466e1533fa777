// The built platform in a folder of its own: it runs, deploys and backs up on a machine that has no checkout.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@shipway/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildClient } from '../../packages/cli/build.ts'
import { buildServer } from '../../packages/server/build.ts'
import { buildDashboard } from '../../packages/web/build.ts'
import { freePort } from '../../tools/free-port.ts'
import { makeDatabase, settingsOf, startProgram, stopProcess } from '../../tools/platform.ts'
import { takePortBlock } from '../../tools/port-block.ts'
import { copyRelease } from '../../tools/release.ts'
import { beginProject, buildOwner, ended } from '../journey.ts'

const checkout = join(import.meta.dirname, '../..')
let folder: string
let release: string

beforeAll(async () => {
  await buildServer()
  await buildClient()
  await buildDashboard({ isQuiet: true })
  folder = mkdtempSync(join(tmpdir(), 'shipway-release-'))
  release = join(folder, 'moved')
  copyRelease(release)
}, 240_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('no file of it names the folder where it was built, and there are no sources and no node_modules', () => {
  const files = globSync('**/*', { cwd: release, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'node')
    .map((entry) => join(entry.parentPath, entry.name))
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => readFileSync(file, 'latin1').includes(checkout))).toEqual([])
  expect(files.filter((file) => /\.tsx?$|node_modules/.test(file))).toEqual([])
})

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

test('it deploys and backs up where the checkout does not exist', { timeout: 240_000 }, async () => {
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
