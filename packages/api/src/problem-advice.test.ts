// Each error code says what to do, in sentences that readers can follow.
import { expect, test } from 'vitest'
import { type ErrorCode, PROBLEMS } from './problem.ts'
import { PROBLEM_ADVICE } from './problem-advice.ts'

const codes = Object.keys(PROBLEMS) as ErrorCode[]

test('there is advice for every code, and for no other', () => {
  expect(Object.keys(PROBLEM_ADVICE).toSorted(), 'Change packages/api/src/problem-advice.ts').toEqual(codes.toSorted())
})

test.each(codes)('the advice for %s is a few short sentences of its own', (code) => {
  const advice = PROBLEM_ADVICE[code]
  expect(advice).toMatch(/^[A-Z].+\.$/)
  for (const sentence of advice.split(/(?<=[.:]) /))
    expect(sentence.split(' ').length, sentence).toBeLessThanOrEqual(20)
  expect(codes.filter((other) => other !== code && PROBLEM_ADVICE[other] === advice)).toEqual([])
})
