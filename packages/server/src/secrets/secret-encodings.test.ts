// Real programs print a value in one of its forms: shells, base64, xxd and Compose.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { hasDocker } from '../../test/docker/docker-engine.ts'
import { createMask } from './mask.ts'
import { renderVariableFile } from './variable-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'shipway-forms-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const sharp = [...'abcdeXYZ0189', ...'\'"\\`$&<>/+= \t%#~!?*[]{}()^;|,:.-_@', 'é', '😀', '\n', '\u0001', '\u001b']
const drawn = fc.sample(
  fc.array(fc.constantFrom(...sharp), { minLength: 6, maxLength: 30 }).map((parts) => parts.join('')),
  { numRuns: 400, seed: 4 },
)
/** A program may split a value of several lines, which is hidden line by line; here each value is one line. */
const values = ['hunter2!', "it's a `secret` $HOME", '#leading', '~tilde=~x', ...drawn].map((value) =>
  value.trim().length < 6 ? `${value}secret` : value,
)
const environment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: folder }
const options = { cwd: folder, encoding: 'utf8' as const, maxBuffer: 64 * 1024 * 1024 }
writeFileSync(join(folder, 'values'), values.map((value) => `${value}\0`).join(''))

/** One for each value, because building a mask takes longer than using it here. */
const masks = new Map(values.map((value) => [value, createMask([value])]))
const hide = (value: string, printed = ''): string => masks.get(value)?.text(printed) ?? printed

/** Nothing is left of each value but quotes, a name and line ends. */
function expectHidden(printed: readonly string[], frame = /^[$'"\n]*$/): void {
  expect(printed).toHaveLength(values.length)
  const shown = values.flatMap((value, at) => {
    const left = hide(value, printed[at]).replaceAll('[hidden]', '')
    return frame.test(left) ? [] : [{ value, printed: printed[at], left }]
  })
  expect(shown.slice(0, 3)).toEqual([])
}

describe.each(['C.UTF-8', 'C'])('bash in the locale %s', (locale) => {
  const bash = (script: string): string[] => {
    const whole = `mapfile -d '' values <values; for value in "\${values[@]}"; do ${script}; printf '\\0'; done`
    const env = { ...environment, LC_ALL: locale }
    return execFileSync('bash', ['-c', whole], { ...options, env })
      .split('\0')
      .slice(0, -1)
  }

  test.each([
    ['printf %q', `printf %q "$value"`, undefined],
    ['@Q', `printf %s "\${value@Q}"`, undefined],
    ['declare -p', 'declare -p value', /^declare -- value=[$'"\n]*$/],
    ['set -x', '{ set -x; : "$value"; set +x; } 2>&1', /^\++ : [$'"\n]*\++ set \+x\n$/],
  ])('%s', (_, script, frame) => expectHidden(bash(script), frame))
})

test('dash shows its variables hidden', () => {
  const script = 'export -p | sed -n "/^export value=/,\\$p"'
  const one = (value: string): string =>
    execFileSync('dash', ['-c', script], { ...options, env: { ...environment, value } })
  expectHidden(
    values.map((value, at) => (at < 40 ? one(value) : '')),
    /^(export value=['"\n]*)?$/,
  )
})

test('base64 and xxd split a long value into lines, which are hidden', () => {
  const long = values.join('')
  for (const [program = '', ...words] of [['base64'], ['base64', '-w', '64'], ['od', '-An', '-v', '-tx1', '-w30']]) {
    const printed = execFileSync(program, words, { ...options, input: long }).replaceAll(' ', '')
    expect(createMask([long]).text(printed)).toMatch(/^(\[hidden\]\n)+$/)
  }
})

describe.skipIf(!hasDocker)('Docker Compose', () => {
  test.each(['yaml', 'json'])('prints its model as %s with every value hidden', (format) => {
    const variables = new Map(values.map((value, index) => [`K${index}`, value]))
    writeFileSync(join(folder, 'variables.env'), renderVariableFile(variables).reveal())
    const compose = { services: { web: { image: 'web', env_file: ['variables.env'] } } }
    writeFileSync(join(folder, 'compose.json'), JSON.stringify(compose))
    const words = ['compose', '-f', 'compose.json', 'config', '--format', format]
    const printed = execFileSync('docker', words, { ...options, env: environment })
    const lines = new Map(printed.split('\n').map((line) => [/^ *"?(K[0-9]+)"?: /.exec(line)?.[1], line]))
    const shown = values.flatMap((value, index) => {
      // YAML prints a text of several lines as a block, whose long lines are hidden.
      if (value.includes('\n')) return []
      const masked = hide(value, lines.get(`K${index}`))
      return /: ["']?\[hidden\]["']?,?$/.test(masked) ? [] : [{ value, masked }]
    })
    expect(shown.slice(0, 3)).toEqual([])
  })
})

test('the variable file itself is hidden', () => {
  const texts = values.map((value) => renderVariableFile(new Map([['KEY', value]])).reveal())
  expectHidden(texts, /^(SERVICE_BACKTICK='`'\n)?KEY=['"]{2}\n$/)
})
