// The reason of a failure is read from the end of what was printed, which may begin within a secret.
import { expect, test } from 'vitest'
import { createFakeHost } from '../../test/fake-host.ts'
import { CommandFailed, StepFault } from '../domain/tasks/step-fault.ts'
import { lastLine } from '../remote/last-line.ts'
import type { StepIo } from './run.ts'
import { withReason } from './with-reason.ts'

const MOST_BYTES = 16_384

test.each([
  ['all that was printed', 'one\ntwo\n', 'two'],
  ['a last line that is whole', `${'x'.repeat(MOST_BYTES - 4)}\ntwo`, 'two'],
  ['a last line that lacks its beginning', `${'x'.repeat(MOST_BYTES - 1)}\n`, 'its last line is too long'],
])('of %s', async (_what, stdout, expected) => {
  const io = {
    host: createFakeHost({ tail: { stdout } }, []),
    signal: new AbortController().signal,
    say: () => undefined,
    warn: () => undefined,
    durably: () => Promise.reject(CommandFailed(1)),
  } satisfies StepIo
  const faultOf = ({ said }: { readonly said: string }) => new StepFault('command', lastLine(said))
  const failing = withReason(io, { run: ['true'], folder: '/tmp' }, { faultOf })
  await expect(failing).rejects.toThrow(expected)
})
