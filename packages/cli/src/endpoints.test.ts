// Every endpoint of the API has a command, or a reason for having none.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Route, type RouteName, routes } from '@shipway/api'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { FIELDS_WITHOUT_FLAG, WITHOUT_COMMAND } from '../test/without-command.ts'

const docs = readFileSync(new URL('../../../docs/command-line.md', import.meta.url), 'utf8')
const names = Object.keys(routes).filter((name): name is RouteName => name in routes)
const reasons = new Map(Object.entries(WITHOUT_COMMAND).flatMap(([reason, some]) => some.map((name) => [name, reason])))

/** Without comments. */
function sourcesOfCommands(): string {
  const files = globSync('**/*.ts', { cwd: import.meta.dirname })
  const ofCommands = files.filter((file) => !file.endsWith('.test.ts') && !file.startsWith('mcp/'))
  const sources = ofCommands.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('\n')
  return sources.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}

/** What the sources of commands call: a table of commands could claim more than they do. */
function calledMethods(): ReadonlySet<string> {
  const called = [...sourcesOfCommands().matchAll(/(?:\b[cC]lient|\bclient\(\)\))\s*\.\s*(?:raw\s*\.\s*)?(\w+)/g)].map(
    ([, name]) => name,
  )
  return new Set(called.flatMap((name) => (name === undefined ? [] : [METHODS[name] ?? name])))
}

/** Methods of the client beside those that are named as their routes. */
const METHODS: Readonly<Record<string, RouteName>> = { live: 'openLive', followTaskLog: 'readTaskLog' }

const titleOf = (name: RouteName): string => `${routes[name].method} ${routes[name].path}`

test('a command reaches each endpoint, or the list says why not', () => {
  const called = calledMethods()
  const isForSessions = ({ sessionOnly }: Route): boolean => sessionOnly === true
  const left = names.filter((name) => !called.has(name) && !reasons.has(name) && !isForSessions(routes[name]))
  const advice = 'Add a command to packages/cli/src/commands, or a reason to packages/cli/test/without-command.ts'
  expect(
    left.map((name) => `${name} (${titleOf(name)})`),
    advice,
  ).toEqual([])
})

test('no endpoint of the list has a command, and none needs no reason', () => {
  const called = calledMethods()
  const stale = [...reasons.keys()].filter((name) => called.has(name) || 'sessionOnly' in routes[name])
  expect(stale, 'Take these out of packages/cli/test/without-command.ts').toEqual([])
})

test('a command sends each field of a request, or the list says why not', () => {
  const words = new Set(sourcesOfCommands().match(/\w+/g))
  const called = calledMethods()
  const fields = names
    .filter((name) => called.has(name))
    .flatMap((name) => {
      const { body, query }: Route = routes[name]
      return [body, query].flatMap(fieldNames).map((field) => ({ name, field }))
    })
  const left = fields.filter(({ name, field }) => !words.has(field) && FIELDS_WITHOUT_FLAG[name]?.[field] === undefined)
  const advice = 'Add a flag to the command, or a reason to packages/cli/test/without-command.ts'
  expect(fields.length).toBeGreaterThan(100)
  expect(
    left.map(({ name, field }) => `${field} of ${name}`),
    advice,
  ).toEqual([])
})

/** Also of a schema that is optional or transformed as a whole. */
const fieldNames = (schema: z.ZodType | undefined): readonly string[] =>
  schema ? Object.keys(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).properties ?? {}) : []

test('the docs say why an endpoint has no command', () => {
  const rows = Object.entries(WITHOUT_COMMAND).map(
    ([reason, some]) => `| ${some.map((name) => `\`${titleOf(name)}\``).join(', ')} | ${reason} |`,
  )
  const missing = rows.filter((line) => !docs.includes(`\n${line}\n`))
  expect(missing.join('\n'), 'Add these lines to docs/command-line.md').toBe('')
})
