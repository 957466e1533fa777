// A client of the API behind the proxy, one journey after the other, that never learns which process answers.
import { randomUUID } from 'node:crypto'
import type { Client } from '@shipway/api'
import { expect } from 'vitest'
import { retryWhileDown } from '../live/reader.ts'

export type Visitor = {
  /** Number of completed journeys. */
  readonly count: number
  readonly tasks: readonly number[]
  stop(): Promise<void>
  /** Rejects if a journey fails. */
  readonly ended: Promise<void>
}

type Visit = { readonly client: Client; readonly projectId: number; readonly onTask: (id: number) => void }

export function visitAlways(name: string, { client, projectId, onTask }: Visit): Visitor {
  const tasks: number[] = []
  let count = 0
  let isOver = false
  const ended = (async () => {
    while (!isOver) {
      const task = await travel({ client, projectId, onTask }, `${name}-${count}`)
      tasks.push(task)
      count++
    }
  })()
  return {
    get count() {
      return count
    },
    tasks,
    ended,
    stop: async () => {
      isOver = true
      await ended
    },
  }
}

/** Creates an environment, sets a variable, deploys, reads and removes it. Each request may reach another process. */
async function travel(visit: Visit, name: string): Promise<number> {
  const { client, onTask } = visit
  const environment = { params: { id: await create(visit, name) } }
  await retryWhileDown(() => client.changeVariables({ ...environment, body: { set: { KEY: `value of ${name}` } } }))
  const { variables } = await retryWhileDown(() => client.listVariables(environment))
  expect(variables.map(({ key }) => key)).toEqual(['KEY'])
  const task = await startOnce(client, environment)
  onTask(task)
  const end = await endOf(client, task)
  expect([name, end.status, end.reason, end.failed_step]).toEqual([name, 'succeeded', null, null])
  const log = await retryWhileDown(() => client.readTaskLog({ params: { id: task } }))
  expect(log.split('hello, key [hidden]')).toHaveLength(2)
  expect((await retryWhileDown(() => client.getEnvironment(environment))).live?.task_id).toBe(task)
  await remove(client, environment)
  return task
}

/** If a response got lost, the name is taken already, by the first attempt. */
async function create({ client, projectId }: Visit, name: string): Promise<number> {
  const project = { params: { id: projectId } }
  try {
    return (await retryWhileDown(() => client.createEnvironment({ ...project, body: { name, branch: 'main' } }))).id
  } catch (error) {
    if (!isRefusal(error, 409)) throw error
    const all = await retryWhileDown(() => client.listEnvironments({ ...project, query: { limit: 200 } }))
    const made = all.find((one) => one.name === name)
    if (!made) throw error
    return made.id
  }
}

type OfEnvironment = { readonly params: { readonly id: number } }

/** Repeats the request with one key until there is a response. The first process may be dead: its claim of the key ends after a minute. */
async function startOnce(client: Client, environment: OfEnvironment): Promise<number> {
  const idempotencyKey = randomUUID()
  for (let tries = 0; ; tries++) {
    try {
      return (await retryWhileDown(() => client.startDeployment({ ...environment, idempotencyKey }))).id
    } catch (error) {
      const isUnderWay = error instanceof Error && 'code' in error && error.code === 'request_in_progress'
      if (!isUnderWay || tries === 300) throw error
      await pause()
    }
  }
}

async function endOf(client: Client, id: number) {
  for (;;) {
    const task = await retryWhileDown(() => client.getTask({ params: { id } }))
    if (task.finished_at !== null) return task
    await pause()
  }
}

/** Repeats until it is gone: a running removal refuses a second one. */
async function remove(client: Client, environment: OfEnvironment): Promise<void> {
  for (;;) {
    try {
      await retryWhileDown(() => client.deleteEnvironment(environment))
    } catch (error) {
      if (isRefusal(error, 404)) return
      if (!isRefusal(error, 409)) throw error
    }
    await pause()
  }
}

const isRefusal = (error: unknown, status: number): boolean =>
  error instanceof Error && 'status' in error && error.status === status

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300))
