// What a user sees before an import: nothing that it adds to an environment that exists is left out.

import { readRepositoryConfig } from '@shipway/rules/service-file/read-repository-config'
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

test('schedules name the environments where they run, and each action has a name of its own', () => {
  const schedule = { project: 'Shop', name: 'Nightly report', cron: '0 3 * * *', command: 'npm run report' }
  const schedules = [
    { ...schedule, environment: 'production' },
    { ...schedule, environment: 'staging', command: './other.sh' },
    { ...schedule, environment: 'staging' },
    { ...schedule, environment: 'production', name: 'nightly report 2' },
    { ...schedule, environment: 'production', name: '!' },
  ]
  const lines = planLines({ title: 't', projects: [], schedules, leftBehind: [] })
  const section = lines.slice(lines.indexOf('  actions:'), lines.lastIndexOf('')).map((line) => line.slice(2))
  const { actions } = readRepositoryConfig(['services: { web: {} }', ...section].join('\n'), 'docker')
  const at = { cron: '0 3 * * *' }
  expect(actions).toMatchObject([
    { name: 'nightly-report', run: 'npm run report', schedule: { ...at, environments: ['production', 'staging'] } },
    { name: 'nightly-report-2', run: './other.sh', schedule: { ...at, environments: ['staging'] } },
    { name: 'nightly-report-2-2', run: 'npm run report', schedule: { ...at, environments: ['production'] } },
    { name: 'action', run: 'npm run report', schedule: { ...at, environments: ['production'] } },
  ])
})

test('a command of several lines stays one, and acts on no terminal', () => {
  const command = 'cd app\nnpm run "report"\u001b[2J\u202e'
  const schedule = { project: 'Shop', environment: 'production', name: 'Report', cron: '0 3 * * *', command }
  const lines = planLines({ title: 't', projects: [], schedules: [schedule], leftBehind: [] })
  expect(lines.join('\n')).not.toMatch(/\p{Cc}(?<!\n)|\u202e/u)
  const section = lines.slice(lines.indexOf('  actions:'), lines.lastIndexOf('')).map((line) => line.slice(2))
  const { actions } = readRepositoryConfig(['services: { web: {} }', ...section].join('\n'), 'docker')
  expect(actions).toMatchObject([{ run: command }])
})
