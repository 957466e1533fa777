import { expect, test } from 'vitest'
import { excerptOf } from './excerpt.ts'

test('shows the error line with the lines around it', () => {
  const text =
    'start\nconnected\nConfigError: STRIPE is not set\n    at requireVariable (config.ts:41)\npayments: off\nbye\n'
  expect(excerptOf(text, 498)).toEqual({
    lines: [
      'start',
      'connected',
      'ConfigError: STRIPE is not set',
      '    at requireVariable (config.ts:41)',
      'payments: off',
    ],
    first: 498,
    errorLine: 500,
  })
})

test('the first of several error lines in a row is the cause', () => {
  const text = 'an error of long ago\nfine\nnpm error code ENOENT\nnpm error syscall open\nnpm error errno -2\n'
  expect(excerptOf(text, 1).errorLine).toBe(3)
})

test('without an error line the last lines are shown', () => {
  const text = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`).join('\n')
  expect(excerptOf(text, 1)).toEqual({ lines: text.split('\n').slice(-6), first: 15, errorLine: undefined })
})

test('stack frames and exit messages are no error lines', () => {
  expect(excerptOf('    at failed (x.ts:1)\nThe command ended with exit code 1\n', 1).errorLine).toBeUndefined()
})
