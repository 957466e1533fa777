import { parseEnv } from '@shipway/api'
import { expect, test } from 'vitest'
import { checkPasted, keyFault, tooMany } from './check-pasted.ts'

const by = { updated_at: '2026-11-01T12:00:00Z', updated_by: { id: 1, name: 'Jonas Lindqvist' }, build: false }
const known = [
  { key: 'DATABASE_URL', source: 'environment', ...by },
  { key: 'SENTRY_DSN', source: 'project', ...by },
] as const
const check = (text: string, recipe: 'docker' | 'manual' = 'docker') => checkPasted(parseEnv(text), { known, recipe })

test('keys are new, replace another, are empty, or are refused', () => {
  const text = 'STRIPE_KEY=pk\n\nDATABASE_URL=postgres:\nSENTRY_DSN=x\nFEATURE=\nSERVICE_DOMAIN=x\nnonsense'
  expect(check(text).map(({ line, key, verdict }) => [line, key, verdict])).toEqual([
    [1, 'STRIPE_KEY', 'new'],
    [3, 'DATABASE_URL', 'replaces'],
    [4, 'SENTRY_DSN', 'replaces'],
    [5, 'FEATURE', 'empty'],
    [6, 'SERVICE_DOMAIN', 'refused'],
    [7, undefined, 'refused'],
  ])
})

test('the result contains no values and no invalid keys', () => {
  const text = `A=secret-one\nB-C=secret-two\nSERVICE_X=secret-three\nD=${'s'.repeat(70_000)}\nsecret-four`
  const result = JSON.stringify(check(text))
  expect(result).not.toMatch(/secret|sss/)
  expect(result).not.toContain('B-C')
})

test('a refused key names the rule', () => {
  expect(keyFault('SERVICE_X', 'docker')).toBe('SERVICE_ variables are set by the platform')
  expect(keyFault('PATH', 'docker')).toBeUndefined()
  expect(keyFault('PATH', 'manual')).toBe('the manual recipe reserves PATH for the shell of the server')
  expect(keyFault('1A', 'docker')).toMatch(/^is not a valid key\. Use 1 to 128/)
  expect(check(`D=${'s'.repeat(70_000)}`)[0]?.detail).toBe('its value is refused: use at most 64 KiB')
})

test('a repeated key names the earlier lines', () => {
  expect(check('A=1\nA=2')).toMatchObject([{ line: 2, detail: 'the last of 2 (line 1 left out)' }])
})

test('the limit counts each own key once and no keys of the project', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `K${index}=1`).join('\n')
  expect(tooMany(check(lines(499)), known)).toBeUndefined()
  expect(tooMany(check(`${lines(499)}\nDATABASE_URL=1`), known)).toBeUndefined()
  expect(tooMany(check(lines(500)), known)).toMatch(/would make 501/)
})
