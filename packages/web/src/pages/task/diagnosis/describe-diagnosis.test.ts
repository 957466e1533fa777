import { expect, test } from 'vitest'
import { describeExit, diagnosisTitle, hintPieces, sentenceOf } from './describe-diagnosis.ts'

const failed_step = { phase: 'Start', name: 'Release', message: 'The command ended with exit code 137', exit_code: 137 }

test('the title names the step and the phase', () => {
  expect(diagnosisTitle({ failed_step, reason: null })).toBe('Release failed in Start')
  expect(diagnosisTitle({ failed_step: null, reason: 'timed_out' })).toBe('Failed: timed out')
})

test('the exit code appears once', () => {
  expect(describeExit({ failed_step, reason: null })).toBeUndefined()
  expect(describeExit({ failed_step: { ...failed_step, message: 'It was killed' }, reason: null })).toBe(
    'Exit code 137',
  )
  expect(describeExit({ failed_step: { ...failed_step, exit_code: null }, reason: null })).toBeUndefined()
})

test('a step without a message has the reason of the task', () => {
  expect(sentenceOf({ failed_step: { ...failed_step, message: null }, reason: 'server_unreachable' })).toBe(
    'The server was unreachable.',
  )
})

test('code in a hint is separated from text', () => {
  expect(hintPieces('Write `port: 8080` into .service.yml')).toEqual([
    { index: 0, text: 'Write ', isCode: false },
    { index: 1, text: 'port: 8080', isCode: true },
    { index: 2, text: ' into .service.yml', isCode: false },
  ])
  expect(hintPieces('Look')).toEqual([{ index: 0, text: 'Look', isCode: false }])
})
