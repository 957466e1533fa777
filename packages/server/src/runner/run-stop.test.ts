import { expect, test } from 'vitest'
import { RunStop, type StopReason } from './run-stop.ts'

type Row = readonly [StopReason, { readonly open: RunStop['effect']; readonly committed: RunStop['effect'] }]

const table: readonly Row[] = [
  ['canceled_by_user', { open: 'end', committed: undefined }],
  ['timed_out', { open: 'end', committed: undefined }],
  ['stopping', { open: 'leave', committed: 'leave' }],
  ['lost', { open: 'leave', committed: 'leave' }],
]

test.each(table)('%s stops an open run and a committed one as drawn', (reason, { open, committed }) => {
  const stopper = new AbortController()
  const stop = new RunStop(stopper.signal)
  expect([stop.state, stop.effect, stop.reason]).toEqual(['open', undefined, undefined])
  stopper.abort(reason)
  expect([stop.effect, stop.reason, stop.signal.aborted]).toEqual([open, reason, true])
  stop.commit()
  expect([stop.state, stop.effect]).toEqual(['committed', committed])
  expect([stop.reason, stop.signal.aborted]).toEqual([committed && reason, committed !== undefined])
})

test.each(table)('%s does the same to a run that was committed before', (reason, { committed }) => {
  const stopper = new AbortController()
  const stop = new RunStop(stopper.signal)
  stop.commit()
  const heeded = stop.signal
  stopper.abort(reason)
  expect([stop.effect, stop.reason, heeded.aborted]).toEqual([committed, committed && reason, committed !== undefined])
})

test.each(table)('%s that came before the run counts as well', (reason, { open, committed }) => {
  const stop = new RunStop(AbortSignal.abort(reason))
  expect(stop.effect).toBe(open)
  stop.commit()
  expect(stop.effect).toBe(committed)
})
