// The docker recipe run again by another process: what had ended is not done again, and the rest is done as it would have been.
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Deployed,
  deployOnFakeHost,
  inShort,
  linesOf,
  stepOf,
  taskFolder,
} from '../../../test/docker/fake-deployment.ts'
import type { RanStep } from '../../../test/recipe-run.ts'

/** With a container of each service that was deployed before, so that every kind of step is done. */
const scenario = {
  containers: [
    { service: 'web', task: 41, slot: 'a', ports: [20_000] },
    { service: 'store', task: 41, mode: 'in_place' },
  ],
  answers: { 'docker inspect': { stdout: definition('store') } },
  deployment: { servingTaskId: 41, live: { taskId: 41, commitSha: 'b'.repeat(40) } },
}

function definition(name: string): string {
  const parts = { Image: 'sha256:store', Mounts: [], Config: { Labels: {} }, HostConfig: {}, NetworkSettings: {} }
  return JSON.stringify({ Name: `/${name}`, ...parts })
}

const shown = ({ key, lines }: RanStep) => [key, ...lines.map(inShort)]

const names = [
  'Fetch source',
  'Connect to the server',
  'Read .service.yml',
  'Check domains',
  'Find the compose file',
  'Allocate ports',
  'Push the commit',
  'Check out',
  'Write variables',
  'Check the compose file',
  'Check the disk',
  'Build images',
  'Pull images',
  'Plan services',
  'Recreate store',
  'Wait for store',
  'Start migrate',
  'Wait for migrate',
  'Start web',
  'Wait for web',
  'Switch routes',
  'Drain the old version',
  'Remove the old version',
  'Check the address',
]

/** What is begun before the step that takes it. */
const TAKEN_BY = {
  'find home': 'Connect to the server',
  'find ports': 'Allocate ports',
  'push to': 'Push the commit',
  'list links': 'Find the compose file',
  'write ENVIRONMENT/variables.env': 'Write variables',
  'write /shipway/read-output.sh': 'Write variables',
  'check-disk': 'Check the disk',
  'visit main.shop.example.com': 'Check the address',
} as const
const PREFETCHED =
  /^(find home|find ports|push to|list links|fetch c+|write ENVIRONMENT\/variables|write \/shipway\/read-output|check-disk|visit)/

describe('a deployment that another process takes over', () => {
  let whole: Deployed

  beforeAll(async () => {
    whole = await deployOnFakeHost(scenario)
    expect(whole.error).toBeUndefined()
    expect(whole.steps.map(({ name }) => name)).toEqual(names)
  })

  test.each(names.map((name, done) => ({ name, done })))('goes on with "$name"', async ({ done }) => {
    const again = await deployOnFakeHost({ ...scenario, files: new Map(whole.files), kept: whole.steps.slice(0, done) })
    expect(again.error).toBeUndefined()
    // The model is read back once where it is needed. What was begun before its step is done by the step. Nothing else differs.
    const readBack = 'cat -- TASK/judged.json'
    const isElsewhere = (line: string): boolean => line === readBack || PREFETCHED.test(line)
    const others = (steps: Deployed['steps']) =>
      steps.map(shown).map((lines) => lines.filter((line) => !isElsewhere(line)))
    expect(others(again.steps)).toEqual(others(whole.steps.slice(done)))
    for (const [command, step] of Object.entries(TAKEN_BY)) {
      const isDone = done > names.indexOf(step)
      expect(again.steps.flatMap(shown).filter((line) => line.startsWith(command))).toHaveLength(isDone ? 0 : 1)
    }
    const isCheckedBefore = done > names.indexOf('Check the compose file') && done <= names.indexOf('Plan services')
    expect(again.steps.flatMap(shown).filter((line) => line === readBack)).toHaveLength(isCheckedBefore ? 1 : 0)
  })

  test('runs nothing by a model that is not the one that was checked', async () => {
    const files = new Map([...whole.files, [`${taskFolder}/judged.json`, '{"name":"x","services":{}}']])
    const kept = whole.steps.slice(0, names.indexOf('Plan services'))
    const again = await deployOnFakeHost({ ...scenario, files, kept })
    expect(again.error).toMatchObject({
      message: 'What was checked of the compose file is not on fake server any more as it was. Deploy again',
    })
    expect(linesOf(again, 'Plan services')).toEqual(['cat -- TASK/judged.json'])
  })

  test('has a folder for each durable step that does not depend on which of them are done again', () => {
    const folders = whole.steps.flatMap(({ name, lines }) =>
      lines.flatMap((line) => (line.startsWith('durably in') ? [`${name} ${inShort(line).split(' ')[2]}`] : [])),
    )
    expect(folders).toEqual([
      'Build images TASK/1',
      'Pull images TASK/2',
      'Recreate store TASK/3',
      'Wait for store TASK/4',
      'Start migrate TASK/5',
      'Wait for migrate TASK/6',
      'Start web TASK/7',
      'Wait for web TASK/8',
    ])
  })

  test('leaves the folders of what need not be built or pulled unused', async () => {
    const services = { web: { image: 'web:1' } }
    const { steps } = await deployOnFakeHost({ services })
    expect(steps.filter(({ phase }) => phase === 'Build').map(({ name }) => name)).toEqual([
      'Check the compose file',
      'Pull images',
    ])
    expect(linesOf({ steps }, 'Pull images')[0]).toBe('durably in TASK/2')
    expect(stepOf({ steps }, 'Start web').lines[0]).toBe(`durably in ${taskFolder}/3`)
  })
})
