import { expect, test } from 'vitest'
import { type ExplicitWrite, explicitWrites, writesOf } from './explicit-writes.ts'

const said = (entry: unknown, folder = '.') =>
  explicitWrites({ services: { web: { volumes: [entry] } } }, { file: 'compose.yml', folder })

test.each<[unknown, ExplicitWrite[]]>([
  ['./a:/b:rw', [{ source: 'a', target: '/b' }]],
  ['./a/:/b/:rw,z', [{ source: 'a', target: '/b' }]],
  ['.:/b:Z,rw', [{ source: '.', target: '/b' }]],
  ['${DIR:-./a}:/b:rw', [{ source: null, target: '/b' }]],
  ['./a:${TO:-/b}:rw', [{ source: 'a', target: null }]],
  ['${DIR}:${TO}:rw', []],
  [{ type: 'bind', source: './a', target: '/b', read_only: false }, [{ source: 'a', target: '/b' }]],
  [{ type: 'bind', source: './a', target: '/b' }, []],
  [{ type: 'volume', source: 'a', target: '/b', read_only: false }, []],
  ['./a:/b', []],
  ['./a:/b:ro', []],
  ['./a:/b:${MODE:-rw}', []],
  ['/etc:/b:rw', []],
  ['/b', []],
  [null, []],
])('%j says that %j may be written to', (entry, writes) => {
  expect(said(entry)).toEqual(writes)
})

test('a path is relative to the folder that Compose takes it from', () => {
  expect(said('../a:/b:rw', 'deploy/app')).toEqual([{ source: 'deploy/a', target: '/b' }])
})

test('a document of another form says nothing', () => {
  for (const document of [null, [], { services: [] }, { services: { web: { volumes: 'x' } } }])
    expect(explicitWrites(document, { file: 'compose.yml', folder: '.' })).toEqual([])
})

test('a variable in one place leaves the other to say which mount is meant', () => {
  const isWritten = writesOf([
    { source: 'a', target: '/a' },
    { source: null, target: '/b' },
    { source: '.', target: null },
  ])
  expect([isWritten('a', '/a/'), isWritten('x', '/b'), isWritten('', '/c')]).toEqual([true, true, true])
  expect([isWritten('a', '/c'), isWritten('x', '/a')]).toEqual([false, false])
})
