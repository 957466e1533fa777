// Runs every check at once and prints what each found, one line a problem.
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { linesOfBiome, linesOfKnip, linesOfTsc } from './tool-output.ts'

type Check = Readonly<{
  name: string
  words: readonly [string, ...string[]]
  lines: (output: string, errors: string) => string[]
}>

const checkout = resolve(import.meta.dirname, '../..')
const program = (name: string): string => resolve(checkout, 'node_modules/.bin', name)

/** The checks run beside each other: one that takes several threads does in each of them much that the others do too. */
const types = (folder: string): Check['words'] => [
  program('tsc'),
  '-p',
  folder,
  '--pretty',
  'false',
  '--singleThreaded',
]

const checks: readonly Check[] = [
  { name: 'types', words: types('.'), lines: linesOfTsc },
  {
    // Pages run the contract and its client in browsers, so they compile without the types of Node.
    name: 'types of packages/api without Node',
    words: types('packages/api'),
    lines: linesOfTsc,
  },
  {
    name: 'types of packages/web',
    words: types('packages/web'),
    lines: linesOfTsc,
  },
  {
    name: 'lint and format',
    words: [
      program('biome'),
      'check',
      '--colors=off',
      '--reporter=concise',
      '--max-diagnostics=none',
      '--error-on-warnings',
      '.',
    ],
    lines: (output, errors) => linesOfBiome(`${output}\n${errors}`),
  },
  { name: 'unused code', words: [program('knip'), '--no-progress', '--reporter=json'], lines: linesOfKnip },
  { name: 'structure', words: [process.execPath, 'tools/check/main.ts'], lines: (output) => output.split('\n') },
]

/** For the compiler, which is written in Go: it needs memory for a few seconds, and looks for what is free of it less often. */
const GOGC = '400'

const results = await Promise.all(checks.map(run))
for (const { name, status, lines, errors, seconds } of results) {
  for (const line of lines) console.log(line)
  // A tool that fails without naming a place has something to say on its error output.
  if (status !== 0 && lines.length === 0) console.log(errors)
  console.log(`${status === 0 ? 'ok' : 'FAILED'}: ${name} (${seconds} s)`)
}
process.exitCode = results.some((result) => result.status !== 0) ? 1 : 0

async function run({ name, words, lines }: Check) {
  const startedAt = performance.now()
  const [file, ...rest] = words
  const child = spawn(file, rest, { cwd: checkout, env: { ...process.env, GOGC }, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((done, failed) => {
    child.once('error', failed)
    child.once('close', done)
  })
  const [output, errors, status] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  const found = status === 0 ? [] : lines(output, errors).filter((line) => line.trim() !== '')
  return { name, status, lines: found, errors, seconds: ((performance.now() - startedAt) / 1000).toFixed(1) }
}
