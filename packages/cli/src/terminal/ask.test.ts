import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { askHidden, askYesNo } from './ask.ts'

/** A terminal that tells in which order it was written to and stopped showing what is typed. */
function terminal() {
  const events: string[] = []
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => events.push(isRaw ? 'hides' : 'shows'),
  })
  const ctx = {
    stdin: input,
    err: { writeRaw: (text: string) => events.push(text) },
    signal: new AbortController().signal,
  }
  return { events, input, ctx }
}

test('the terminal hides typed text before the first label, and until the last answer is read', async () => {
  const { events, input, ctx } = terminal()
  const asked = askHidden(ctx, ['FIRST', 'SECOND'])
  input.write('one\rtwo\r')
  expect(await asked).toEqual([
    ['FIRST', 'one'],
    ['SECOND', 'two'],
  ])
  expect(events).toEqual(['hides', 'FIRST: ', '(typed, not shown)\n', 'SECOND: ', '(typed, not shown)\n', 'shows'])
})

test.each([
  ['y\r', true],
  ['YES\r', true],
  ['\r', false],
  ['yesterday\r', false],
])('the answer %j', async (typed, isYes) => {
  const { events, input, ctx } = terminal()
  const asked = askYesNo(ctx, 'Remove it?')
  input.write(typed)
  expect(await asked).toBe(isYes)
  expect(events.join('')).toContain('Remove it? [y/N] ')
})

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('%s cancels the prompt, and the terminal echoes again', async (_name, key) => {
  const { events, input, ctx } = terminal()
  const asked = askHidden(ctx, ['FIRST'])
  input.write(key)
  await expect(asked).rejects.toThrow('Interrupted')
  expect(events.at(-1)).toBe('shows')
})

test('Ctrl-Z does not stop it, so that the terminal never shows a secret', async () => {
  const { events, input, ctx } = terminal()
  const asked = askHidden(ctx, ['FIRST'])
  input.write('one\u001a')
  input.write('more\r')
  expect(await asked).toEqual([['FIRST', 'onemore']])
  expect(events.filter((event) => event === 'shows')).toHaveLength(1)
})

test('the up key brings no secret back', async () => {
  const { input, ctx } = terminal()
  const asked = askHidden(ctx, ['FIRST', 'SECOND'])
  input.write('one\r\u001b[Atwo\r')
  expect(await asked).toEqual([
    ['FIRST', 'one'],
    ['SECOND', 'two'],
  ])
})

test.each(['-----BEGIN KEY-----\rabc\r', 'one\rtwo'])('%j is more than one answer', async (typed) => {
  const { input, ctx } = terminal()
  const asked = askHidden(ctx, ['FIRST'])
  input.write(typed)
  await expect(asked).rejects.toThrow('More lines were typed than asked for')
})
