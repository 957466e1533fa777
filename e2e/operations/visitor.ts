// Somebody who uses the API through the proxy, one journey after the other, and never learns which process answers.
import { randomUUID } from 'node:crypto'
import type { Client } from '@shipway/api'
import { expect } from 'vitest'
import { patiently } from '../live/reader.ts'

export type Visitor = {
  /** Journeys that came to their end. */
  readonly count: number
  readonly tasks: readonly number[]
  stop(): Promise<void>
  /** Rejects where a journey fails. */
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

/** An environment is made, gets a variable, is deployed, read and removed: each as it was told by whichever process was asked before. */
async function travel(visit: Visit, name: string): Promise<number> {
  const { client, onTask } = visit
  const environment = { params: { id: await create(visit, name) } }
  await patiently(() => client.changeVariables({ ...environment, body: { set: { KEY: `value of ${name}` } } }))
  const { variables } = await patiently(() => client.listVariables(environment))
  expect(variables.map(({ key }) => key)).toEqual(['KEY'])
  const task = await startOnce(client, environment)
  onTask(task)
  const end = await endOf(client, task)
  expect([name, end.status, end.reason, end.failed_step]).toEqual([name, 'succeeded', null, null])
  const log = await patiently(() => client.readTaskLog({ params: { id: task } }))
  expect(log.split('hello, key [hidden]')).toHaveLength(2)
  expect((await patiently(() => client.getEnvironment(environment))).live?.task_id).toBe(task)
  await remove(client, environment)
  return task
}

/** Where an answer got lost, the name is taken: by whoever asks again. */
async function create({ client, projectId }: Visit, name: string): Promise<number> {
  const project = { params: { id: projectId } }
  try {
    return (await patiently(() => client.createEnvironment({ ...project, body: { name, branch: 'main' } }))).id
  } catch (error) {
    if (!isRefusal(error, 409)) throw error
    const all = await patiently(() => client.listEnvironments({ ...project, query: { limit: 200 } }))
    const made = all.find((one) => one.name === name)
    if (!made) throw error
    return made.id
  }
}

type OfEnvironment = { readonly params: { readonly id: number } }

/** Repeated with one key until it is answered. The process that was asked first may be dead: its claim of the key ends after a minute. */
async function startOnce(client: Client, environment: OfEnvironment): Promise<number> {
  const idempotencyKey = randomUUID()
  for (let tries = 0; ; tries++) {
    try {
      return (await patiently(() => client.startDeployment({ ...environment, idempotencyKey }))).id
    } catch (error) {
      const isUnderWay = error instanceof Error && 'code' in error && error.code === 'request_in_progress'
      if (!isUnderWay || tries === 300) throw error
      await pause()
    }
  }
}

async function endOf(client: Client, id: number) {
  for (;;) {
    const task = await patiently(() => client.getTask({ params: { id } }))
    if (task.finished_at !== null) return task
    await pause()
  }
}

/** Asked for until it is gone: a removal that is under way refuses a second one. */
async function remove(client: Client, environment: OfEnvironment): Promise<void> {
  for (;;) {
    try {
      await patiently(() => client.deleteEnvironment(environment))
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
