import { expect, test } from 'vitest'
import { commandOf } from './comment-command.ts'

test.each([
  ['/preview', 'start'],
  ['  /preview  ', 'start'],
  ['/Preview Start', 'start'],
  ['/preview stop\nthanks', 'stop'],
  ['/preview\tredeploy\r\n', 'redeploy'],
])('%j is a command', (text, command) => expect(commandOf(text)).toBe(command))

test.each([
  '',
  'please /preview',
  '/previews',
  '/preview now please',
  '/preview destroy',
  '> /preview',
  '`/preview`',
  7,
])('%j is none', (text) => expect(commandOf(text)).toBeUndefined())
