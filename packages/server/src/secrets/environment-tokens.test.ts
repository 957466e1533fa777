import { expect, test } from 'vitest'
import { createEnvironmentTokens } from './environment-tokens.ts'
import { Secret } from './secret.ts'

test('tokens are stable, and differ by environment, key and purpose', () => {
  const ids = Array.from({ length: 100 }, (_, id) => id)
  const all = ['key', 'other key'].flatMap((key) => ids.map(createEnvironmentTokens(new Secret(key))))
  expect(ids.map(createEnvironmentTokens(new Secret('key')))).toEqual(all.slice(0, 100))
  const words = all.flatMap(({ image, cache }) => [image, cache])
  expect(new Set(words).size).toBe(400)
  for (const word of words) expect(word).toMatch(/^[0-9a-f]{32}$/)
})
