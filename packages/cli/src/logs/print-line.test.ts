// How lines of services look: on a terminal, in a pipe, as objects.
import { expect, test } from 'vitest'
import { openSink } from '../terminal/sink.ts'
import { type LogLine, readLogLine } from './log-line.ts'
import { linePrinter } from './print-line.ts'

const line = (service: string, text: string): LogLine => ({ time: '2026-11-16T07:16:33.203343868Z', service, text })

function shown(lines: readonly LogLine[], { isTTY = false, isColorWanted = true, isJson = false } = {}): string[] {
  const written: string[] = []
  const stream = { isTTY, write: (text: string) => written.push(text) }
  // The sink needs no more of a stream than this.
  const sink = openSink(stream as unknown as NodeJS.WriteStream, { isColorWanted, isUtf8: true })
  for (const one of lines) linePrinter(sink, { isJson })(one)
  return written
}

test('a pipe has the time in UTC, the service and the text', () => {
  expect(shown([line('web', 'hello'), line('web', '')])).toEqual([
    '2026-11-16T07:16:33.203Z web hello\n',
    '2026-11-16T07:16:33.203Z web \n',
  ])
})

test('an object has all fields, with control characters escaped', () => {
  const [json = ''] = shown([line('web', 'a\u001b[2Jb')], { isJson: true })
  expect(json).toContain('a\\u001b[2Jb')
  expect(JSON.parse(json)).toEqual(line('web', 'a\u001b[2Jb'))
})

test('a line cannot forge another one, or control the terminal', () => {
  const hostile = 'one\r2026-11-16T07:16:33.203Z api two\u001b]0;title\u0007\u001b[2J\u001b[5A\u202e'
  expect(shown([line('web', hostile)])).toEqual(['2026-11-16T07:16:33.203Z web one 2026-11-16T07:16:33.203Z api two\n'])
  const [onScreen = ''] = shown([line('web', hostile)], { isTTY: true, isColorWanted: false })
  expect(onScreen).toMatch(/^(\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d web one 2026-11-16T07:16:33\.203Z api two\n$/)
})

test('services have colors on a terminal, and lines keep their own', () => {
  const written: string[] = []
  const stream = { isTTY: true, write: (text: string) => written.push(text) }
  const sink = openSink(stream as unknown as NodeJS.WriteStream, { isColorWanted: true, isUtf8: true })
  const show = linePrinter(sink, { isJson: false })
  for (const one of [line('web', 'x'), line('worker', '\u001b[31mred'), line('web', 'y')]) show(one)
  expect(written[0]).toContain('\u001b[36mweb\u001b[39m x')
  expect(written[1]).toContain('\u001b[35mworker\u001b[39m \u001b[31mred\u001b[0m')
  expect(written[2]).toContain('\u001b[36mweb   \u001b[39m y')
})

test.each(['', 'Welcome to this server', '2026-11-16T07:16:33Z web x', '2026-11-16T07:16:33.203343868Z we$b x'])(
  '%j is no line of a service',
  (text) => {
    expect(readLogLine(text)).toBeUndefined()
  },
)
