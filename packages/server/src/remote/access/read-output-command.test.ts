import { expect, test } from 'vitest'
import { READ_OUTPUT, readOutputCommand } from './read-output-command.ts'

test('a certificate for logs runs one program of the platform, for one environment', () => {
  expect(readOutputCommand('.shipway/i1', 7)).toBe(`sh .shipway/i1/${READ_OUTPUT} 7`)
  expect(READ_OUTPUT).toBe('read-output.sh')
})
