import { expect, test } from 'vitest'
import { type FoundEntry, faultOfList, isPlainPath, sortFound } from './found-artifacts.ts'

const file = (path: string): FoundEntry => ({ kind: 'file', path })

test('plain files that match are taken, in order and once', () => {
  const entries = [file('b.txt'), file('a/x.txt'), file('b.txt')]
  expect(sortFound(entries)).toEqual({ paths: ['a/x.txt', 'b.txt'], notes: [] })
})

test.each(['/etc/cron.d/evil', 'a/../../b', '../x', './x', 'a//b', '', 'a/'])(
  '%j lies outside, and is not even compared with patterns',
  (path) => {
    expect(isPlainPath(file(path))).toBe(false)
  },
)

test.each([
  [{ kind: 'link', path: 'report.txt' }, 'it is a link'],
  [{ kind: 'special', path: 'pipe' }, 'it is no regular file'],
  [{ kind: 'device', path: 'null' }, 'it is no regular file'],
  [file('new\nline.txt'), 'characters that are not to be shown'],
  [file('a\u001b[2J'), 'characters that are not to be shown'],
  [file('bill\u202efdp.exe'), 'characters that are not to be shown'],
  [file('two\u2028lines.txt'), 'characters that are not to be shown'],
  [file('..\\..\\x'), 'characters that are not to be shown'],
  [file('not\uFFFDutf8'), 'characters that are not to be shown'],
  [file('a'.repeat(1001)), 'its name is too long'],
])('%j is left out, with a warning', (entry, reason) => {
  const { paths, notes } = sortFound([entry])
  expect(paths).toEqual([])
  expect(notes).toEqual([expect.stringContaining(reason)])
  expect(notes.join('')).not.toContain('\n')
})

test.each(['-rf', '"q".txt', 'CON', `${'a'.repeat(255)}`, 'x.svg', '$(id)', '<img src=x onerror=alert(1)>'])(
  '%j is a name like any other',
  (path) => expect(sortFound([file(path)]).paths).toEqual([path]),
)

test('too many files are an error, since half a list would look complete', () => {
  const many = Array.from({ length: 100_001 }, (_, index) => file(`f${index}`))
  expect(sortFound(many)).toMatchObject({ paths: [], fault: expect.stringContaining('100001 files match') })
  expect(faultOfList([file('a'), { kind: 'more', path: '.' }])).toContain('too many files')
  const long = Array.from({ length: 900 }, (_, index) => file(`${'d/'.repeat(400)}${index}`))
  expect(sortFound(long).fault).toContain('take too much room')
})

test('the list of notes is bounded', () => {
  const links = Array.from({ length: 500 }, (_, index) => ({ kind: 'link', path: `l${index}` }))
  expect(sortFound(links).notes).toHaveLength(51)
})
