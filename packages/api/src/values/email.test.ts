import { expect, test } from 'vitest'
import { Email, sameEmailKey } from './email.ts'
import { codeOf } from './rule.ts'

test.each([
  ['a@b.example', 'a@b.example'],
  ['A@B.EXAMPLE', 'A@b.example'],
  ['a+tag@b.example', 'a+tag@b.example'],
  ["first.o'last@mail.example.co", "first.o'last@mail.example.co"],
  ['a@xn--e28h.example', 'a@xn--e28h.example'],
  ['a@münchen.de', 'a@xn--mnchen-3ya.de'],
  [`${'x'.repeat(64)}@b.example`, `${'x'.repeat(64)}@b.example`],
])('the address %s is stored as %s', (text, stored) => {
  expect(Email.parse(text)).toBe(stored)
})

test.each([
  '"a\\r\\nX: y"@b.example',
  '"a\r\nX: y"@b.example',
  '<script>@b.example',
  'A <a@b.example>',
  '\uff41@b.example',
  'a@\uff42.example',
  'ü@b.example',
  'a@b.example\0',
  'a@b.example\n',
  ' a@b.example',
  'a@b.example,c@d.example',
  'a@b.example;c@d.example',
  'a@b@c.example',
  'a b@c.example',
  'a..b@c.example',
  '.a@b.example',
  '-a@b.example',
  'a(b)@c.example',
  '@b.example',
  'a@',
  'a',
  '',
  'a@localhost',
  'a@127.0.0.1',
  'a@[127.0.0.1]',
  'a@b.example.',
  `${'x'.repeat(65)}@b.example`,
  `a@${'b.'.repeat(125)}example`,
  'Click https://evil.example to accept',
])('%j is no e-mail address', (text) => {
  expect(Email.safeParse(text).error?.issues.map(codeOf)).toEqual(['invalid_email'])
})

test('an address is the same in any case, and another with a tag', () => {
  expect(sameEmailKey('Ann@b.example')).toBe(sameEmailKey('ann@b.example'))
  expect(sameEmailKey('ann+x@b.example')).not.toBe(sameEmailKey('ann@b.example'))
})
