import type { Certificate } from '@shipway/api'
import { expect, test } from 'vitest'
import { sshWords } from './ssh-words.ts'

function wordsFor(connection: Certificate['connection']): readonly string[] {
  const certificate: Certificate = {
    certificate: '',
    serial: '1',
    key_id: '',
    principals: [],
    valid_after: '',
    valid_before: '',
    critical_options: {},
    extensions: [],
    ca_fingerprint: '',
    host_keys: [],
    known_hosts: '',
    folder: null,
    connection,
  }
  return sshWords(certificate)
}

const connection = { host: 'harbor.example', port: 22, user: 'shipway' }

test.each(['harbor.example', '10.0.0.7', '::1', 'fe80::1', 'my_host', '1.2.3.4'])('a server at %s', (host) => {
  expect(wordsFor({ ...connection, host }).slice(-6)).toEqual(['-p', '22', '-l', 'shipway', '--', host])
})

test.each([
  ...['-oProxyCommand=x', 'ssh://root@other', 'root@other', 'a b', '$(x)', '%h', '', 'x\n', '\u001b[2J'].map(
    (host) => ({ host }),
  ),
  ...['-oProxyCommand=x', 'a;b', '%r', 'a b', '', '$(x)'].map((user) => ({ user })),
  ...[0, -1, 65_536].map((port) => ({ port })),
])('only a host, a user and a port are passed to ssh: %j', (fields) => {
  expect(() => wordsFor({ ...connection, ...fields })).toThrow('a host or user name that ssh cannot use')
})
