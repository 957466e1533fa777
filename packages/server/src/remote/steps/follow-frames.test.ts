import { expect, test } from 'vitest'
import { FollowFrames } from './follow-frames.ts'

const sent = Buffer.concat([
  Buffer.from('motd\n\nshipway-step follows\noutput 5 4\n'),
  Buffer.from([0, 10, 255, 13]),
  Buffer.from('output 9 6\nexit 0output 40 2\nokexit 3 42 timed_out\n'),
])

test.each([1, 2, 3, 7, 1_000])('output and the end are read from pieces of %i bytes', (size) => {
  const frames = new FollowFrames()
  const pieces = Array.from({ length: Math.ceil(sent.length / size) }, (_, index) =>
    frames.read(sent.subarray(index * size, (index + 1) * size)),
  ).flat()
  const bytes = pieces.flatMap((piece) => [...piece.bytes].map((byte, index) => [piece.position + index, byte]))
  expect(bytes.map(([position]) => position)).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 40, 41])
  expect(Buffer.from(bytes.map(([, byte]) => byte ?? 0)).toString('latin1')).toBe('\0\n\u00ff\rexit 0ok')
  expect(frames.state).toEqual({ state: 'timed_out', exitCode: 3, total: 42 })
})

test.each([
  ['more\n', { state: 'more' }],
  ['vanished\n', { state: 'vanished' }],
  ['exit 0 7 \n', { state: 'exited', exitCode: 0, total: 7 }],
  ['exit 143 7 canceled\n', { state: 'canceled', exitCode: 143, total: 7 }],
  ['exit 0 7', undefined],
  ['', undefined],
])('%j is understood', (line, state) => {
  const frames = new FollowFrames()
  frames.read(Buffer.from(`shipway-step follows\n${line}`))
  expect([frames.hasBegun, frames.state]).toEqual([true, state])
})

test('output before the script begins is ignored, however long', () => {
  const frames = new FollowFrames()
  expect(frames.read(Buffer.from(`output 0 5\nexit 0 0 \n${'x'.repeat(1_000_000)}`))).toEqual([])
  expect([frames.hasBegun, frames.state]).toEqual([false, undefined])
})

test.each([
  ...[
    'exit NaN 7',
    'exit -1 7',
    'exit 256 7',
    'exit 99999999999 7',
    'exit 0 Infinity',
    'exit 0 1e300',
    'exit',
    'exit 0',
  ],
  ...[
    'output -5 3',
    'output 5',
    'output NaN 3',
    'output 1e9 3',
    'output 99999999999999999999 3',
    'output 10 -3',
    'output 0x10 3',
  ],
  ...['output 9 3', `output 10 ${'9'.repeat(16)}`, 'output  3'],
])('%j is what no server can mean, and ends the reading', (line) => {
  const frames = new FollowFrames(10)
  expect(() => frames.read(Buffer.from(`shipway-step follows\n${line}\n`))).toThrow('that cannot be')
  expect(frames.state).toBeUndefined()
})
