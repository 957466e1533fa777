import { expect, test } from 'vitest'
import type { z as Zod } from 'zod'
import { z as standIn } from './schemas.ts'

const z = standIn as typeof Zod

test('accepts any response unchanged', () => {
  const Inner = z.object({ id: z.int().positive().describe('A number') })
  const Schema = Inner.extend({ of: z.array(Inner).nullable(), kind: z.literal('a').optional() }).partial()
  const answer = { id: 'x', unknown: [1] }
  expect(Schema.safeParse(answer)).toEqual({ success: true, data: answer })
  expect(z.union([Schema, z.string()]).parse(answer)).toBe(answer)
  expect(Schema.shape.of.safeParse(null)).toEqual({ success: true, data: null })
})

test('an enum still validates its values, described or not', () => {
  const Kind = z.enum(['deploy', 'remove']).describe('What it does')
  expect(Kind.options).toEqual(['deploy', 'remove'])
  expect(Kind.safeParse('deploy').data).toBe('deploy')
  expect(Kind.safeParse('delete').data).toBeUndefined()
  expect(() => Kind.parse('delete')).toThrow('delete is none of deploy, remove')
})

test('a schema is neither thenable nor iterable', async () => {
  const Schema = z.object({})
  expect(await Schema).toBe(Schema)
  expect({ ...Schema.shape }).toEqual({})
})
