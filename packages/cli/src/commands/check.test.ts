import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { forms } from '../../../rules/test/corpus/forms.ts'
import { infrastructure } from '../../../rules/test/corpus/infrastructure.ts'
import { withServiceFile } from '../../../rules/test/corpus/tree.ts'
import { webApplications } from '../../../rules/test/corpus/web-applications.ts'
import { recordedContext } from '../../test/recorded-context.ts'
import { withFolder } from '../../test/with-folder.ts'
import { NotSignedIn } from '../command-error.ts'
import { check } from './check.ts'

type Files = Readonly<Record<string, string>>

function run(files: Files, { flags = {}, columns, word, runtime, git = false }: Run = {}) {
  return withFolder(files, async (folder) => {
    if (git) execFileSync('git', ['init', '--quiet'], { cwd: folder })
    const { ctx, out, err } = recordedContext(folder, { flags, ...(columns === undefined ? {} : { columns }) })
    const code = await check.run(ctx, {
      words: word === undefined ? [] : [word],
      flags: { recipe: undefined, runtime, project: undefined },
    })
    return { code, out: out(), err: err() }
  })
}

type Run = {
  readonly flags?: { readonly json?: boolean }
  readonly columns?: number
  readonly word?: string
  readonly runtime?: string
  readonly git?: boolean
}

const good = {
  '.service.yml': 'services:\n  web: {}\n',
  'compose.yml': 'services:\n  web:\n    image: nginx\n    ports: ["8080:80"]\n',
}
const bad = {
  '.service.yml': 'services:\n  web: { prot: 80 }\n',
  'compose.yml': 'services:\n  web:\n    image: nginx\n    privileged: true\n    pid: host\n',
}

describe('the recipe of the project', () => {
  const project = { id: 7, name: 'bookshop', default_recipe: 'manual' }
  const client = { getProject: async () => project, raw: {} }

  function compare(files: Files, { named, fails }: { readonly named?: string; readonly fails?: Error } = {}) {
    return withFolder(files, async (folder) => {
      const { ctx, err } = recordedContext(folder)
      const asked = { ...ctx, client: async () => (fails ? Promise.reject(fails) : Object(client)) }
      const code = await check.run(asked, {
        words: [],
        flags: { recipe: undefined, runtime: undefined, project: named },
      })
      return { code, err: err() }
    })
  }
  const warning =
    'Warning: bookshop deploys with the manual recipe, and this checked the docker recipe.\n' +
    'Check that one: shipway check --recipe manual. Or change the recipe in the settings of bookshop.\n'
  const linked = { ...good, '.shipway': '{"project": 7}' }

  test('differs: of the linked project and of a named one', async () => {
    expect((await compare(linked)).err).toContain(warning)
    expect((await compare(good, { named: '7' })).err).toContain(warning)
  })

  test('is not asked for without a project, and says nothing where it is the same', async () => {
    expect((await compare(good)).err).not.toContain('recipe')
    const manual = { '.service.yml': 'manual: { deploy: [{ run: npm start }] }\n', '.shipway': '{"project": 7}' }
    expect((await compare(manual)).err).not.toContain('recipe')
  })

  test('a linked project needs no sign-in; a named one does', async () => {
    const fails = NotSignedIn('Sign in first')
    expect(await compare(linked, { fails })).toMatchObject({ code: 0, err: expect.stringContaining('was not checked') })
    await expect(compare(good, { named: '7', fails })).rejects.toBe(fails)
  })
})

test('every problem is listed at once with its position, and the exit code is 1', async () => {
  const { code, out } = await run(bad)
  expect(code).toBe(1)
  expect(out.split('\n')).toEqual([
    '.service.yml:2:10: services.web.prot is not a known key; did you mean port?',
    expect.stringMatching(/^compose\.yml:4:5: services\.web\.privileged gives the container all rights.* Remove it/),
    expect.stringMatching(/^compose\.yml:5:5: services\.web\.pid shares a namespace/),
    '3 problems: a deployment with the docker recipe would fail.',
    '',
  ])
})

test('a repository that deploys ends with 0, and notes say what the platform does', async () => {
  const { code, out } = await run(good)
  expect(code).toBe(0)
  expect(out).toContain('compose.yml:4:5: note: services.web: nothing is published on the host')
  expect(out).toMatch(/\nNo problems found for the docker recipe\.\n$/)
})

test('on a terminal sentences are broken between words, and no line is wider than the window', async () => {
  const { out } = await run(bad, { columns: 60 })
  expect(out).toContain('  ✗ compose.yml:4:5\n    services.web.privileged gives the container all rights\n    on the')
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60)
})

test('what is decided at deployment is listed as such', async () => {
  const { code, out } = await run({ ...good, 'compose.yml': 'services: { web: { image: nginx } }\n' })
  expect(code).toBe(0)
  expect(out).toContain('.service.yml:2:3: decided at deployment: web: no file names its port')
})

test('as JSON it is one document, with positions as fields', async () => {
  const { code, out, err } = await run(bad, { flags: { json: true }, git: true })
  expect({ code, err }).toEqual({ code: 1, err: '' })
  expect(JSON.parse(out)).toMatchObject({
    recipe: 'docker',
    runtime: 'compose',
    would_deploy: false,
    faults: [{ file: '.service.yml', line: 2, column: 10, message: expect.stringContaining('prot') }, {}, {}],
    notes: [],
    judged_at_deployment: [],
    files_from: 'git',
    uncommitted: [
      { file: '.service.yml', state: 'new' },
      { file: 'compose.yml', state: 'new' },
    ],
    ignored: [],
  })
})

test('a Swarm has rules of its own', async () => {
  const files = {
    ...good,
    'compose.yml':
      'services:\n  web:\n    image: nginx\n    expose: [80]\n    shm_size: 1g\n    ipc: "service:db"\n  db: { image: postgres }\n',
  }
  expect(await run(files)).toMatchObject({ code: 0 })
  const { code, out, err } = await run(files, { runtime: 'swarm' })
  expect(code).toBe(1)
  expect(out).toContain('compose.yml:6:5: services.web.ipc cannot be set on a Swarm. Remove it')
  expect(`${out}${err}`).toContain('a deployment with the docker recipe on a Docker Swarm would fail')
})

test('uncommitted and ignored files are reported', async () => {
  const compose = 'services: { web: { image: nginx, ports: ["80:80"], env_file: .env.web } }\n'
  const ignored = { '.gitignore': '.env*\n', '.env': 'A=1\n', '.env.web': 'B=2\n' }
  const { code, out, err } = await run({ ...good, 'compose.yml': compose, ...ignored }, { git: true })
  expect(code).toBe(0)
  expect(out).toContain('.env.web is not in the repository, and is left out')
  expect(err).toContain('Not committed yet: .service.yml (new), compose.yml (new).')
  expect(err).toContain('Ignored by git, so it was not checked: .env, .env.web')
})

test('without .service.yml a suggestion is shown, beside other problems', async () => {
  const { code, out, err } = await run({ 'compose.yml': bad['compose.yml'] })
  expect(code).toBe(1)
  expect(out).toContain('.service.yml:1:1: The repository has no .service.yml')
  expect(out).toContain('docker:\n  compose: compose.yml\n')
  expect(out).toContain('services.web.privileged')
  expect(err).toContain('Write the .service.yml: shipway init')
})

test('a folder of a repository is checked by itself, and its root is named', async () => {
  const inner = Object.fromEntries(Object.entries(good).map(([path, text]) => [`app/${path}`, text]))
  const { code, err } = await run(inner, { word: 'app', git: true })
  expect(code).toBe(0)
  expect(err).toMatch(/^Checking this folder as a repository of its own\. The root of its git repository is \//)
})

test('an argument that is not a folder is a usage error', async () => {
  await expect(run(good, { word: 'compose.yml' })).rejects.toThrow(/compose\.yml is not a folder/)
})

test('a file cannot move the cursor of a terminal', async () => {
  const compose = 'services: { web: { image: nginx, "\\e[2J": 1 } }\n'
  const { out } = await run({ ...good, 'compose.yml': compose }, { columns: 80 })
  expect(out).toContain('is not known to the platform')
  expect(out).not.toContain('\u001b')
})

describe('on the corpus it says what the platform says', () => {
  const corpus = [...webApplications, ...infrastructure, ...forms]
  test.each(corpus.map((one) => [one.name, one] as const))('%s', async (_, { files, refusedAt = [] }) => {
    const { code, out } = await run(await withServiceFile(files), { flags: { json: true } })
    const { faults }: { faults: { file: string; line: number; column: number; message: string }[] } = JSON.parse(out)
    const lines = faults.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`)
    expect(lines.length, lines.join('\n')).toBe(refusedAt.length)
    for (const part of refusedAt) expect(lines.join('\n')).toContain(part)
    expect(code).toBe(refusedAt.length > 0 ? 1 : 0)
  })
})
