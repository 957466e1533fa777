// Which checks of a commit let it be deployed.
import { expect, test } from 'vitest'
import { checksVerdict, type ReportedCheck } from './commit-checks.ts'

const green = (name: string): ReportedCheck => ({ name, state: 'green' })
const pending = (name: string): ReportedCheck => ({ name, state: 'pending' })
const red = (name: string): ReportedCheck => ({ name, state: 'red' })

test.each([
  [[], [], { kind: 'pending', names: [] }],
  [[green('build')], [], { kind: 'green' }],
  [[green('build'), pending('lint')], [], { kind: 'pending', names: ['lint'] }],
  [[green('build'), red('lint'), pending('e2e')], [], { kind: 'red', name: 'lint' }],
  // Its own never count, of whichever platform.
  [[green('build'), pending('shipway/pr-7'), red('shipway/staging')], [], { kind: 'green' }],
  [[pending('shipway/pr-7')], [], { kind: 'pending', names: [] }],
  // Named ones: others do not matter, missing ones are waited for.
  [[green('build'), red('lint')], ['build'], { kind: 'green' }],
  [[red('lint')], ['build'], { kind: 'pending', names: ['build'] }],
  [[green('build')], ['build', 'e2e'], { kind: 'pending', names: ['e2e'] }],
  [[green('build'), red('build')], ['build'], { kind: 'red', name: 'build' }],
  [[green('build'), pending('build')], ['build'], { kind: 'pending', names: ['build'] }],
] as const)('%j of %j: %j', (reported, names, verdict) => {
  expect(checksVerdict(reported, names)).toEqual(verdict)
})
