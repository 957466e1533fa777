import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freshBuild } from './fresh-build.ts'

let root: string
let builds: number

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'shipway-fresh-build-'))
  builds = 0
  writeFileSync(join(root, 'a.ts'), 'one')
})
afterEach(() => rmSync(root, { recursive: true }))

const build = (): Promise<void> =>
  freshBuild({
    root,
    sources: ['*.ts'],
    make: async (folder) => writeFileSync(join(folder, 'made'), `${readFileSync(join(root, 'a.ts'))} ${++builds}`),
  })
const made = (): string => readFileSync(join(root, 'dist', 'made'), 'utf8')

test('builds what is missing, once', async () => {
  await build()
  await build()
  expect(made()).toBe('one 1')
})

test('builds again when a source was changed, added or removed, and not for a test', async () => {
  await build()
  writeFileSync(join(root, 'a.test.ts'), 'a test')
  await build()
  expect(builds).toBe(1)
  writeFileSync(join(root, 'a.ts'), 'two')
  await build()
  expect(made()).toBe('two 2')
  writeFileSync(join(root, 'b.ts'), 'another')
  await build()
  rmSync(join(root, 'b.ts'))
  await build()
  expect(builds).toBe(4)
})

test('is built once by several processes at the same time, and each finds it whole', async () => {
  const program = join(root, 'program.mjs')
  const here = JSON.stringify(new URL('./fresh-build.ts', import.meta.url).href)
  // Each takes longer to build than the others take to come.
  writeFileSync(
    program,
    `import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
    import { setTimeout as pause } from 'node:timers/promises'
    const { freshBuild } = await import(${here})
    const root = ${JSON.stringify(root)}
    const make = async (folder) => {
      appendFileSync(root + '/builds.log', 'x')
      for (let index = 0; index < 20; index++) {
        writeFileSync(folder + '/part-' + index, 'made')
        await pause(20)
      }
    }
    await freshBuild({ root, sources: ['*.ts'], make })
    for (let index = 0; index < 20; index++) readFileSync(root + '/dist/part-' + index)`,
  )
  const run = async () => (await once(spawn(process.execPath, [program], { stdio: 'inherit' }), 'exit'))[0]
  expect(await Promise.all(Array.from({ length: 6 }, run))).toEqual([0, 0, 0, 0, 0, 0])
  expect(readFileSync(join(root, 'builds.log'), 'utf8')).toBe('x')
  expect(readdirSync(root).filter((name) => name.startsWith('dist'))).toEqual(['dist'])
})

test('leaves what was built alone when a build fails, and tries again', async () => {
  await build()
  writeFileSync(join(root, 'a.ts'), 'two')
  const failing = freshBuild({ root, sources: ['*.ts'], make: () => Promise.reject(new Error('no room')) })
  await expect(failing).rejects.toThrow('no room')
  expect(made()).toBe('one 1')
  await build()
  expect(made()).toBe('two 2')
  expect(existsSync(join(root, 'dist-next'))).toBe(false)
})
