import { expect, test } from 'vitest'
import { InvalidFields } from '../errors.ts'
import { ChecksFailed } from './step-fault.ts'

test('fifty faults are reported, of a step and of a request, however many there are', () => {
  const sentences = Array.from({ length: 1000 }, (_, at) => `Fault ${at}`)
  expect(ChecksFailed(sentences.slice(0, 50)).message).toBe(sentences.slice(0, 50).join('\n'))
  expect(ChecksFailed(sentences).message).toBe([...sentences.slice(0, 50), 'and 950 more'].join('\n'))
  const { extra, message } = InvalidFields(
    sentences.map((detail) => ({ pointer: '/x', code: 'unknown_field', detail })),
  )
  expect(extra.errors).toHaveLength(50)
  expect(message.split('. ')).toHaveLength(50)
})
