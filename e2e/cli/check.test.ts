// `shipway init` and `shipway check` as they are handed out: in one file, without an account, without a network and without Docker.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openProgram, type Program } from './program.ts'
import { openDrawing, openTerminal } from './terminal.ts'

let program: Program
const inHome = (name: string): string => join(program.home, name)

beforeEach(() => {
  program = openProgram({ SHIPWAY_URL: 'http://127.0.0.1:9' })
  writeFileSync(inHome('compose.yml'), 'services:\n  web:\n    image: nginx\n    ports: ["8080:80"]\n')
})
afterEach(() => program.stop())

test('init asks on a terminal, and writes only after a yes', async () => {
  const refused = openTerminal(program, ['init'], { columns: 80, rows: 24 })
  await refused.shows(/Write \.service\.yml\? \[y\/N\]/)
  refused.type('\r')
  expect(await refused.ended).toBe(1)
  expect(existsSync(inHome('.service.yml'))).toBe(false)

  const screen = openTerminal(program, ['init'], { columns: 80, rows: 24 })
  await screen.shows(/web: \{ port: 80 \}[\s\S]*Write \.service\.yml\? \[y\/N\]/)
  screen.type('y\r')
  expect(await screen.ended).toBe(0)
  expect(readFileSync(inHome('.service.yml'), 'utf8')).toContain('web: { port: 80 }')

  writeFileSync(inHome('.service.yml'), 'services: { web: { port: 81 } }\n')
  const again = openTerminal(program, ['init'], { columns: 80, rows: 24 })
  await again.shows(/This replaces the existing \.service\.yml[\s\S]*Replace \.service\.yml\? \[y\/N\]/)
  again.type('n\r')
  expect(await again.ended).toBe(1)
  expect(readFileSync(inHome('.service.yml'), 'utf8')).toContain('port: 81')
})

test('check exits with 0 or 1, also without git and Docker', async () => {
  writeFileSync(inHome('.service.yml'), 'services: { web: {} }\n')
  const nothing = { PATH: inHome('empty') }
  const good = await program.run(['check'], { env: nothing })
  expect(good).toMatchObject({ code: 0, out: expect.stringContaining('No problems found') })
  writeFileSync(inHome('compose.yml'), 'services: { web: { image: nginx, privileged: true } }\n')
  const bad = await program.run(['check', '--json'], { env: nothing })
  expect(bad).toMatchObject({ code: 1, err: '' })
  expect(JSON.parse(bad.out)).toMatchObject({ would_deploy: false, faults: [{ file: 'compose.yml', line: 1 }] })
})

test('check fits into any window', async () => {
  writeFileSync(inHome('.service.yml'), 'services: { web: { prot: 80 } }\n')
  const screen = openDrawing(program, ['check'], { columns: 40, rows: 30 })
  expect(await screen.ended).toBe(1)
  expect(screen.lines().join('\n')).toContain('  ✗ .service.yml:1:')
  expect(screen.lines().every((line) => line.length <= 40)).toBe(true)
})

test('a git repository is read as its commit would be', async () => {
  execFileSync('git', ['init', '--quiet'], { cwd: program.home })
  writeFileSync(inHome('.gitignore'), 'compose.yml\n')
  const { code, err } = await program.inProcess.run(['check'])
  expect(code).toBe(1)
  expect(err).toContain('Ignored by git, so it was not checked: compose.yml')
})
