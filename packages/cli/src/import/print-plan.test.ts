// What a user sees before an import: nothing that it adds to an environment that exists is left out.
import { expect, test } from 'vitest'
import type { Plan } from './plan.ts'
import { planLines } from './print-plan.ts'

const keys = Array.from({ length: 45 }, (_, index) => `KEY_${index}`)

test('all variables that an environment of this platform gets are named, however many there are', () => {
  const variables = { set: Object.fromEntries(keys.map((key) => [key, 'x'])), existing: [], leftOut: [] }
  const planned = { name: 'production', branch: 'main', domain: undefined, existing: { id: 7 }, variables }
  const project = { name: 'Shop', repository: 'r', domain: 'd', customDomains: [], existing: { id: 1 } }
  const plan = { title: 't', projects: [{ ...project, environments: [planned] }], schedules: [], leftBehind: [] }
  const lines = planLines(plan as unknown as Plan).join('\n')
  expect(keys.filter((key) => !lines.includes(key))).toEqual([])
})
