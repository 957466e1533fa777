import { existsSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordedContext } from '../../test/recorded-context.ts'
import { withFolder } from '../../test/with-folder.ts'
import { check } from './check.ts'
import { init } from './init.ts'

const compose = {
  'compose.yml': 'services:\n  web:\n    image: nginx\n    ports: ["8080:80"]\n  db: { image: postgres }\n',
}
const made =
  '# Recipe: docker. The first service answers at the name of the environment.\nservices:\n  web: { port: 80 }\ndocker:\n  compose: compose.yml\n'

async function run(folder: string, flags: { yes?: boolean; force?: boolean } = {}, json = false) {
  const { ctx, out, err } = recordedContext(folder, { flags: { json } })
  const code = await init.run(ctx, { words: [], flags: { yes: false, force: false, ...flags } })
  return { code, out: out(), err: err() }
}

const fileIn = (folder: string): string => join(folder, '.service.yml')

test('without a terminal it is printed, and nothing is written', () =>
  withFolder(compose, async (folder) => {
    const { code, out, err } = await run(folder)
    expect({ code, out }).toEqual({ code: 0, out: made })
    expect(err).toContain('Nothing was written')
    expect(existsSync(fileIn(folder))).toBe(false)
  }))

test('with --yes it is shown and written, and check finds nothing wrong with it', () =>
  withFolder(compose, async (folder) => {
    const { code, out, err } = await run(folder, { yes: true })
    expect({ code, out }).toEqual({ code: 0, out: '' })
    expect(err).toMatch(/^Made from compose\.yml:\n\n {2}# Recipe: docker.*\n {2}services:\n {4}web: \{ port: 80 \}/)
    expect(readFileSync(fileIn(folder), 'utf8')).toBe(made)
    const { ctx } = recordedContext(folder)
    expect(await check.run(ctx, { words: [], flags: {} })).toBe(0)
  }))

test('an existing file stays, unless --force is given', () =>
  withFolder({ ...compose, '.service.yml': 'services: { other: {} }\n' }, async (folder) => {
    await expect(run(folder, { yes: true })).rejects.toMatchObject({ code: 'already_there', exitCode: 6 })
    expect(readFileSync(fileIn(folder), 'utf8')).toBe('services: { other: {} }\n')
    const { err } = await run(folder, { yes: true, force: true })
    expect(err).toContain('This replaces the existing .service.yml.')
    expect(readFileSync(fileIn(folder), 'utf8')).toBe(made)
    expect((await run(folder, { yes: true })).err).toContain('is up to date')
  }))

test('a link is replaced, and its target is not written to', () =>
  withFolder(compose, async (folder) => {
    const elsewhere = join(folder, 'elsewhere')
    writeFileSync(elsewhere, 'mine')
    symlinkSync(elsewhere, fileIn(folder))
    await run(folder, { yes: true, force: true })
    expect(lstatSync(fileIn(folder)).isSymbolicLink()).toBe(false)
    expect(readFileSync(elsewhere, 'utf8')).toBe('mine')
  }))

test('remaining problems are reported', () =>
  withFolder(
    { 'compose.yml': 'services: { web: { image: nginx, expose: [80], privileged: true } }\n' },
    async (folder) => {
      expect((await run(folder, { yes: true })).err).toContain('1 problem remains that would fail a deployment')
    },
  ))

test('a Dockerfile works too', () =>
  withFolder({ Dockerfile: 'FROM node\nEXPOSE 3000\n' }, async (folder) => {
    expect((await run(folder)).out).toContain('  web: { port: 3000 }\ndocker:\n  build: .\n')
  }))

test('without either, the manual recipe is suggested', () =>
  withFolder({ 'README.md': '' }, async (folder) => {
    expect((await run(folder, { yes: true })).err).toContain('neither a compose file nor a Dockerfile')
    expect(readFileSync(fileIn(folder), 'utf8')).toContain('manual:\n  deploy:\n')
  }))

test('as JSON nothing is asked and nothing is written without --yes', () =>
  withFolder(compose, async (folder) => {
    expect(JSON.parse((await run(folder, {}, true)).out)).toEqual({
      file: fileIn(folder),
      content: made,
      origin: 'compose.yml',
      is_written: false,
    })
    expect(JSON.parse((await run(folder, { yes: true }, true)).out)).toMatchObject({ is_written: true })
    expect(existsSync(fileIn(folder))).toBe(true)
  }))
