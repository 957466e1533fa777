import { expect, test } from 'vitest'
import { ReceiverUrl, receiverUrlFault } from './receiver-url.ts'

test.each([
  ['https://hooks.example.com/x?y=1', 'https://hooks.example.com/x?y=1'],
  ['http://hooks.example.com:8080', 'http://hooks.example.com:8080/'],
  ['https://HOOKS.example.com/A', 'https://hooks.example.com/A'],
])('%s is an address of a receiver', (text, kept) => {
  expect(ReceiverUrl.parse(text)).toBe(kept)
})

test.each([
  '',
  'hooks.example.com',
  'ftp://hooks.example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'https://',
  'https://user:secret@hooks.example.com/',
  'https://user@hooks.example.com/',
  'https://hooks.example.com/#fragment',
  'https://hooks.example.com/a b',
  'https://hooks.example.com/\r\nX-Injected: 1',
  'https://hooks.example.com/\u0000',
  'https://hooks.example.com:99999/',
  `https://hooks.example.com/${'a'.repeat(2_000)}`,
])('%j is none', (text) => {
  expect(ReceiverUrl.safeParse(text).success).toBe(false)
})

test.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://0x7f000001/',
  'http://2130706433/',
  'http://0177.0.0.1/',
  'http://0/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[fd00::1]/',
  'http://169.254.169.254/latest/meta-data',
  'http://10.0.0.1/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://localhost:9000/',
  'http://localhost./',
  'http://app.localhost/',
  'http://metadata.google.internal/',
  'http://printer/',
])('%s is in a private network, however it is spelled', (text) => {
  const url = ReceiverUrl.parse(text)
  expect(receiverUrlFault(url, { allowedNetworks: [] })).toMatchObject({ code: 'network_not_allowed' })
})

test('what an administrator allows is taken', () => {
  expect(receiverUrlFault('http://127.0.0.1:9/', { allowedNetworks: ['127.0.0.0/8'] })).toBeUndefined()
  expect(receiverUrlFault('http://printer/', { allowedNetworks: ['printer'] })).toBeUndefined()
  expect(receiverUrlFault('https://hooks.example.com/', { allowedNetworks: [] })).toBeUndefined()
})
