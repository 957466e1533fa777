// Every command, file and request in the documents is one that this release takes.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Route, routes } from '@shipway/api'
import { checkRepositoryFiles } from '@shipway/rules/check-repository-files'
import { transform } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { isGroup } from '../../cli/src/command-entry.ts'
import { findCommand } from '../../cli/src/find-command.ts'
import { parseArguments } from '../../cli/src/parse-arguments.ts'
import { DOCKERFILE } from '../../rules/test/corpus/case.ts'
import { treeOf } from '../../rules/test/corpus/tree.ts'
import { readServerCommand } from '../../server/src/maintenance/run-server-command.ts'
import { type Block, blocks, callsOf, documents, lines, proseOf, root } from '../test/documents.ts'

describe('commands', () => {
  const calls = lines.flatMap(({ file, text, isInline }) =>
    callsOf('shipway', text).map((words) => ({ file, isInline, words, line: `shipway ${words.join(' ')}` })),
  )

  test.each(documents.filter((file) => calls.some((call) => call.file === file)))(
    'of the client in %s',
    async (file) => {
      for (const { words, line, isInline } of calls.filter((call) => call.file === file)) {
        const { entry, rest, path } = findCommand(words)
        if (!entry) continue
        if (isGroup(entry)) {
          // A sentence may name a group.
          expect(isInline || words.includes('--help'), line).toBe(true)
          continue
        }
        const command = await entry.load()
        const given = rest.filter((word) => word !== '--help')
        if (given.length === 0 && (isInline || words.includes('--help'))) continue
        expect(() => parseArguments(command, given, path), `${file}: ${line}`).not.toThrow()
      }
    },
  )

  test('there are many', () => expect(calls.length).toBeGreaterThan(200))

  const ofServer = lines.flatMap(({ file, text, isInline }) =>
    callsOf('shipway-server', text).map(
      (words) => [`shipway-server ${words.join(' ')}`, file, { words, isInline }] as const,
    ),
  )

  test.each(ofServer)('%s in %s', (_, __, { words, isInline }) => expect(faultOfCall(words, isInline)).toBeUndefined())

  test.each([
    [['backup', 'monday.backup', 'tuesday.backup'], true],
    [['backup'], false],
    [['keys', 'rotate', 'now'], false],
    [['doctor', '--jsons'], true],
  ])('%j are refused (in a sentence: %s)', (words, isInline) =>
    expect(faultOfCall(words, isInline)).toMatch(/Write it as|is not known/),
  )

  /** In a sentence, a command may be named without its arguments. */
  function faultOfCall(words: readonly string[], isInline: boolean): string | undefined {
    if (words.length === 0 || words.includes('--help')) return undefined
    const read = readServerCommand(words)
    if (typeof read !== 'string') return undefined
    return isInline && read.startsWith(`Write it as: shipway-server ${words.join(' ')} `) ? undefined : read
  }

  test('some are of the server', () => expect(ofServer.length).toBeGreaterThan(5))
})

describe('requests', () => {
  const all = Object.values<Route>(routes)
  const matches = (route: Route, path: string): boolean => {
    const pattern = route.path.replaceAll(/[.]/g, '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')
    const [, suffix] = /^…(\/.*)$/.exec(path) ?? []
    return suffix === undefined ? new RegExp(`^${pattern}$`).test(path) : route.path.endsWith(suffix)
  }

  function check(method: string, path: string, body: string | undefined): string | undefined {
    const found = all.filter((route) => route.method === method && matches(route, path))
    if (found.length === 0) return `no endpoint ${method} ${path}`
    if (body === undefined) return undefined
    // Dots stand for a secret.
    const sent: unknown = JSON.parse(body.replaceAll('"…"', '"0123456789abcdef0123"'))
    const refused = found.map((route) => route.body?.safeParse(sent).error?.message)
    return refused.every((one) => one !== undefined) ? `${method} ${path} refuses ${body}: ${refused[0]}` : undefined
  }

  const named = lines.flatMap(({ file, text }) =>
    [
      ...text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/[^\s?#]*|…\/[^\s?#]*)(?:\?\S*)?(?: +(\{.*\})(?=$| {2}))?/g),
    ].map(([call, method = '', path = '', body]) => [call, file, method, path, body] as const),
  )
  test.each(named)('%s in %s', (_, __, method, path, body) => expect(check(method, path, body)).toBeUndefined())

  const curls = lines.filter(({ text }) => /^curl .*\/api\//.test(text))
  test.each(curls.map(({ file, text }) => [text, file] as const))('%s in %s', (text) => {
    const [, path = ''] = /https?:\/\/[^/\s]+(\/api\/[^\s?'"]*)/.exec(text) ?? []
    const [, body] = / -d '([^']*)'/.exec(text) ?? []
    const [, method = body === undefined ? 'GET' : 'POST'] = / -X ([A-Z]+)/.exec(text) ?? []
    expect(check(method, path, body)).toBeUndefined()
  })

  test('there are many', () => {
    expect(named.length).toBeGreaterThan(60)
    expect(curls.length).toBeGreaterThan(4)
  })
})

describe('files', () => {
  const yaml = blocks.filter(({ language }) => language === 'yaml')
  const label = ({ text }: Block): string | undefined => /^# (\.?[\w./-]+)/.exec(text)?.[1]
  const isService = ({ text }: Block): boolean =>
    /^(services|docker|manual|actions|pull_requests|deploy_after):/m.test(text) &&
    !/^ {4}(build|image|environment|volumes):/m.test(text)
  /** Files of other programs. */
  const OTHERS = /^(\.github\/|\.gitlab-ci\.yml|prometheus)/

  async function faultsOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
    const service = files['.service.yml'] ?? ''
    const recipe = /^manual:/m.test(service) ? 'manual' : 'docker'
    const { faults } = await checkRepositoryFiles(treeOf(completed(files)), { recipe })
    return faults.map(({ file, line, sentence }) => `${file}:${line}: ${sentence}`)
  }

  /** With what a fragment leaves out: a compose file with the services that it routes, and each Dockerfile. */
  function completed(files: Readonly<Record<string, string>>): Record<string, string> {
    const service = files['.service.yml'] ?? 'services: { web: { port: 3000 } }'
    const config: { services?: object; actions?: Record<string, { service?: string }> } = parse(service)
    const named = Object.values(config.actions ?? {}).flatMap(({ service }) => service ?? [])
    const names = new Set(['web', ...Object.keys(config.services ?? {}), ...named])
    const compose = `services:\n${[...names].map((name) => `  ${name}: { image: busybox, expose: ["3000"] }\n`).join('')}`
    const whole: Record<string, string> = {
      'compose.yml': compose,
      Dockerfile: DOCKERFILE,
      ...files,
      '.service.yml': service,
    }
    for (const [, path = ''] of whole['compose.yml']?.matchAll(/dockerfile: ([\w./-]+)/g) ?? [])
      whole[path] ??= DOCKERFILE
    return whole
  }

  test.each(yaml.map((block, index) => [block.file, index + 1, block] as const))(
    '%s, block %i',
    async (_, __, block) => {
      const name = label(block)
      if (/^(- job_name|scrape_configs:)/m.test(block.text) || (name !== undefined && OTHERS.test(name)))
        return void parse(block.text)
      if (!isService(block)) return expect(await faultsOf({ 'compose.yml': block.text })).toEqual([])
      const isFragment = !/^services:/m.test(block.text)
      const routed = isFragment ? 'services: { web: { port: 3000 } }\n' : ''
      expect(await faultsOf({ '.service.yml': `${routed}${block.text}` })).toEqual([])
    },
  )

  /** A file that comes again is another version of it: each state of the repository is checked. */
  const guides = documents.filter((file) => file.startsWith('docs/guides/'))
  test.each(guides)('the repository of %s', async (file) => {
    let files: Record<string, string> = {}
    for (const block of blocks.filter((one) => one.file === file)) {
      const name = label(block)
      if (name === undefined || OTHERS.test(name)) continue
      files = { ...files, [name]: block.text }
      if (!('.service.yml' in files)) continue
      expect(await faultsOf(files), `${file}, with ${name}`).toEqual([])
    }
  })

  test.each(blocks.filter(({ language }) => language === 'json').map(({ file, text }) => [file, text] as const))(
    'JSON in %s',
    (_, text) => expect(() => JSON.parse(text)).not.toThrow(),
  )

  test.each(blocks.filter(({ language }) => language === 'js').map(({ file, text }) => [file, text] as const))(
    'JavaScript in %s',
    async (_, text) => void (await transform(text, { loader: 'js', format: 'esm' })),
  )
})

describe('settings', () => {
  const config = readFileSync(join(root, 'packages/server/src/config.ts'), 'utf8')
  const known = [...config.matchAll(/^ {2}([A-Z_]+): setting\(/gm)].map(([, name = '']) => name)
  const client = globSync('packages/cli/src/**/*.ts', { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  )
  const ofClient = client.join('\n').match(/\bSHIPWAY_[A-Z_]*[A-Z]\b/g) ?? []
  /** The last one is an example of a misspelled one. */
  const all = new Set([...known, ...ofClient, 'SHIPWAY_BASEURL'])

  test('every setting is on its page', () => {
    const page = readFileSync(join(root, 'docs/settings.md'), 'utf8')
    // systemd sets these, not an operator.
    const isOfSystemd = (name: string): boolean => name.startsWith('LISTEN_')
    expect(known.length).toBeGreaterThan(40)
    expect(known.filter((name) => !isOfSystemd(name) && !page.includes(`\`${name}\``))).toEqual([])
  })

  test.each(documents)('those in %s exist', (file) => {
    const names = new Set(readFileSync(join(root, file), 'utf8').match(/\bSHIPWAY_[A-Z_]*[A-Z]\b/g))
    expect([...names].filter((name) => !all.has(name))).toEqual([])
  })
})

describe('sentences', () => {
  const guides = documents.filter((file) =>
    /^docs\/(guides\/|concepts|service-file|commands|endpoints|errors)/.test(file),
  )
  test.each(guides)('%s has short ones', (file) => {
    const text = proseOf(file)
      .replaceAll(/^(\||#|<!--).*$/gm, '\n')
      .replaceAll(/`[^`]*`/g, 'code')
      .replaceAll(/\]\([^)]*\)/g, ']')
      .replaceAll(/^- /gm, '\n')
    const sentences = text.split(/\n\s*\n|(?<=[.?:!]) |(?<=[.?!])\n/).map((one) => one.replaceAll(/\s+/g, ' ').trim())
    expect(sentences.filter((one) => one.split(' ').length > 21)).toEqual([])
  })
})
