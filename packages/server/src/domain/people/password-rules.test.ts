import { expect, test } from 'vitest'
import { passwordFault } from './password-rules.ts'

const owner = { email: 'anna.berg@example.com', name: 'Anna-Katharina Berg' }

test.each([
  ['twelve characters', 'violet-anchr'],
  ['256 characters', 'violet-'.repeat(36).padEnd(256, 'x')],
  ['256 emoji', `⚓${'🚢'.repeat(255)}`],
  ['words with spaces', 'violet anchor under a bridge'],
  ['other scripts', 'фиолетовый якорь'],
  ['a part of the name', 'Berg and violet anchor'],
  ['a common password inside a longer one', 'password1234 violet anchor'],
])('%s may be used', (_what, password) => {
  expect(passwordFault(password, owner)).toBeUndefined()
})

test.each([
  ['nothing', '', 'at least 12'],
  ['eleven characters', 'violet-anch', 'at least 12'],
  ['eleven emoji, although they are 22 code units', '🚢⚓🚢⚓🚢⚓🚢⚓🚢⚓🚢', 'at least 12'],
  ['257 characters', 'violet-'.repeat(37).slice(0, 257), 'at most 256'],
  ['one character repeated', 'zzzzzzzzzzzzzz', 'repeats one character'],
  ['one emoji repeated', '🚢'.repeat(12), 'repeats one character'],
  ['one character in two widths', 'zzzzzzｚｚｚｚｚｚ', 'repeats one character'],
  ['a common password', 'password1234', 'most common'],
  ['a row of keys', 'qwertyuiop12', 'most common'],
  ['counting', '123456789012', 'most common'],
  ['a common password in capitals', 'PassWord1234', 'most common'],
  ['a common password in wide letters', 'ｐａｓｓｗｏｒｄ1234', 'most common'],
  ['the part before the @', 'my-anna.berg-2026', 'e-mail address'],
  ['the part before the @ in capitals', 'ANNA.BERG-violet', 'e-mail address'],
  ['the whole address', 'anna.berg@example.com', 'e-mail address'],
  ['the name', 'anna-katharina berg', 'name of the account'],
  ['half of a surrogate pair', 'violet-anchor-\uD83D', 'broken character'],
])('%s is refused with a sentence that says what to do', (_what, password, sentence) => {
  const fault = passwordFault(password, owner)
  expect(fault).toContain(sentence)
  expect(fault).toMatch(/^[A-Z][^!]*\. (Use|Type) [^!]*\.$/)
})

test.each([
  ['anna+shipway@example.com', 'the-anna-anchor', true],
  ['ann@example.com', 'the-annual-anchor', false],
  ['ann@example.com', 'ann@example.com', true],
  ['"a@bcd"@example.com', 'my-"a@bcd"-anchor', true],
  ['@example.com', 'violet-anchor-42', false],
  ['', 'violet-anchor-42', false],
])('with the address %j the password %j is refused: %s', (email, password, isRefused) => {
  expect(passwordFault(password, { email, name: '' }) !== undefined).toBe(isRefused)
})

test('a refusal does not repeat the password', () => {
  for (const password of ['short-one', 'password1234', 'my-anna.berg-2026', 'Anna-Katharina Berg']) {
    expect(passwordFault(password, owner)).not.toContain(password)
  }
})
