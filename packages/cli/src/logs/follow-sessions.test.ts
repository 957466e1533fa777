// Following across lost sessions: each line once, and an end if a retry cannot help.
import { NoAnswer } from '@shipway/api'
import { expect, test } from 'vitest'
import { followSessions } from './follow-sessions.ts'
import type { LogLine } from './log-line.ts'
import type { LogRequest } from './log-request.ts'
import type { SessionEnd } from './read-session.ts'

const request: LogRequest = { isFollowing: true, since: undefined, until: undefined, tail: 10, service: 'web' }
const at = (seconds: number, text: string): LogLine => ({
  time: new Date(1_700_000_000_000 + seconds * 1000).toISOString().replace('Z', '000000Z'),
  service: 'web',
  text,
})
const lost: SessionEnd = { code: 255, stderr: 'gone' }

type Session = { readonly lines?: readonly LogLine[]; readonly end: SessionEnd | Error }

/** Plays sessions one after the other; after the last the user presses Ctrl-C. */
async function follow(sessions: readonly Session[], giveUpAfterMs = 60_000) {
  const interrupt = new AbortController()
  const [requests, printed]: [LogRequest[], string[]] = [[], []]
  let losses = 0
  const end = await followSessions({
    request,
    signal: interrupt.signal,
    retry: { retryMs: 1, giveUpAfterMs },
    session: async (wanted, onLine) => {
      const played = sessions[requests.push(wanted) - 1]
      if (!played) {
        interrupt.abort()
        return { code: 143, stderr: '' }
      }
      for (const line of played.lines ?? []) onLine(line)
      if (played.end instanceof Error) throw played.end
      return played.end
    },
    onLine: ({ text }) => printed.push(text),
    onLost: () => {
      losses += 1
    },
  })
  return { end, requests, printed, losses }
}

test('resumes a little before the last line, and prints no line twice', async () => {
  const { end, requests, printed, losses } = await follow([
    { lines: [at(1, 'one'), at(5, 'two'), at(5, 'three')], end: lost },
    { lines: [at(5, 'two'), at(5, 'three'), at(4, 'late'), at(6, 'four')], end: lost },
    { lines: [at(4, 'late'), at(6, 'four'), at(7, 'four')], end: lost },
  ])
  expect({ end, printed, losses }).toEqual({
    end: undefined,
    printed: ['one', 'two', 'three', 'late', 'four', 'four'],
    losses: 3,
  })
  expect(requests.slice(0, 2)).toEqual([request, { ...request, since: 1_700_000_002, tail: undefined }])
})

test('skips lines that --tail left out', async () => {
  const { printed } = await follow([
    { lines: [at(5, 'four')], end: lost },
    { lines: [at(3, 'three'), at(5, 'four'), at(6, 'five')], end: lost },
    { lines: [at(3, 'three'), at(5, 'four'), at(6, 'five')], end: lost },
  ])
  expect(printed).toEqual(['four', 'five'])
})

test('prints a line as often as a service printed it', async () => {
  const twice = [at(1, 'same'), at(1, 'same')]
  const { printed } = await follow([
    { lines: twice, end: lost },
    { lines: [...twice, at(1, 'same')], end: lost },
    { lines: [...twice, at(1, 'same')], end: lost },
  ])
  expect(printed).toEqual(['same', 'same', 'same'])
})

test('reconnects silently when the server asks for it', async () => {
  const { printed, losses } = await follow([
    { lines: [at(1, 'one')], end: { code: 75, stderr: '' } },
    { lines: [at(1, 'one'), at(2, 'two')], end: { code: 75, stderr: '' } },
  ])
  expect({ printed, losses }).toEqual({ printed: ['one', 'two'], losses: 0 })
})

test('continues after the platform was unreachable', async () => {
  const away = new NoAnswer('ship.example.com', undefined)
  const { end, printed } = await follow([
    { lines: [at(1, 'one')], end: lost },
    { end: away },
    { lines: [at(2, 'two')], end: lost },
  ])
  expect({ end, printed }).toEqual({ end: undefined, printed: ['one', 'two'] })
})

test('ends before the first line, when the server refuses, and after too long a silence', async () => {
  expect((await follow([{ end: lost }])).end).toBe(lost)
  const refused = { code: 66, stderr: 'services: api' }
  expect((await follow([{ lines: [at(1, 'one')], end: refused }])).end).toBe(refused)
  expect((await follow([{ lines: [at(1, 'one')], end: lost }, { end: lost }], -1)).end).toBe(lost)
  await expect(follow([{ lines: [at(1, 'one')], end: new Error('no longer a member') }])).rejects.toThrow('no longer')
})
