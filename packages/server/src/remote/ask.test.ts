// The result of a command on a host, and its errors.
import { expect, test } from 'vitest'
import { createFakeHost } from '../../test/fake-host.ts'
import { StepFault } from '../domain/tasks/step-fault.ts'
import { ask, type Failure } from './ask.ts'
import type { RunOptions } from './host.ts'

const failing = createFakeHost({ 'docker info': { exitCode: 3, stderr: 'Warning: old\nno such thing \n\n' } }, [])

test('returns the output of the command', async () => {
  const host = createFakeHost({ 'docker info': { stdout: '4\n', stderr: 'Warning: old\n' } }, [])
  expect(await ask(host, ['docker', 'info'], 'Docker cannot be asked')).toBe('4\n')
})

test('passes the options on', async () => {
  const seen: RunOptions[] = []
  const host = createFakeHost({ cat: (options) => ({ exitCode: seen.push(options) - 1 }) }, [])
  await ask(host, { command: ['cat'], input: 'text', timeoutMs: 5 }, 'It cannot be read')
  expect(seen).toEqual([{ input: 'text', timeoutMs: 5 }])
})

test('throws the sentence with the last line of standard error if the command fails', async () => {
  const fault = await ask(failing, ['docker', 'info'], 'Docker cannot be asked').catch((error: unknown) => error)
  expect(fault).toBeInstanceOf(StepFault)
  expect(fault).toMatchObject({ kind: 'check', message: 'Docker cannot be asked: no such thing' })
})

test('throws the error that was made from the failure', async () => {
  const made = ({ exitCode, stderr }: Failure) => new RangeError(`${exitCode}: ${stderr}`)
  await expect(ask(failing, ['docker', 'info'], made)).rejects.toThrow(
    new RangeError('3: Warning: old\nno such thing \n\n'),
  )
})
