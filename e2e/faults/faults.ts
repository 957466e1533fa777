// What can happen meanwhile, each with its recovery. The caller waits for a point first.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError } from '@shipway/api'
import { sql } from 'kysely'
import { comesTrue } from '../journey.ts'
import { dropPackets } from './drop-packets.ts'
import { isOfCommand, killGroup, listServerProcesses, taskOf } from './server-processes.ts'
import type { World } from './world.ts'

/** Resolves when everything is as it was: from then on the tasks have ninety seconds. */
type Fault = (world: World, tasks: readonly number[]) => Promise<void>

/** Longer than the lease, and than the two looks into the queue after it. */
const PAST_LEASE_SECONDS = 36
/** Longer than it takes to notice that there is no answer. */
const PAST_KEEP_ALIVE_SECONDS = 45

export const faults = {
  'kill -9 of the platform': async ({ platforms }) => {
    await platforms.nodes[0]?.end('SIGKILL')
    await platforms.nodes[0]?.restart()
  },
  /** As when another machine takes over: whatever is not in the records must be found again. */
  'kill -9 of the platform with the loss of its copy of the repository': async ({ platforms }) => {
    await platforms.nodes[0]?.end('SIGKILL')
    rmSync(join(platforms.folder, 'mirrors'), { recursive: true, force: true })
    await platforms.nodes[0]?.restart()
  },
  'SIGTERM of the platform': async ({ platforms }) => {
    await platforms.nodes[0]?.end('SIGTERM')
    await platforms.nodes[0]?.restart()
  },
  /** The other one has to do; the killed one comes back when it is over. */
  'kill -9 of one of two platforms': async ({ platforms }) => {
    await platforms.nodes[0]?.end('SIGKILL')
  },
  'SIGSTOP of one of two platforms past its lease': async (world, tasks) => {
    world.platforms.nodes[1]?.process.kill('SIGSTOP')
    await passes(world, tasks, PAST_LEASE_SECONDS)
    world.platforms.nodes[1]?.process.kill('SIGCONT')
  },
  'cut of the connections': async ({ sshd }) => sshd.cutConnections(),
  'silence of the connections': async (world, tasks) => {
    world.sshd.pauseConnections()
    await passes(world, tasks, PAST_KEEP_ALIVE_SECONDS)
    await world.sshd.resumeConnections()
  },
  /** Not even a new connection is answered, and no error is sent. */
  'loss of every packet': async (world, tasks) => {
    const end = dropPackets(world.sshd.port)
    await passes(world, tasks, PAST_KEEP_ALIVE_SECONDS).finally(end)
  },
  'cancel of tasks': cancelSome,
  'cancel of tasks and kill -9 of the platform': async (world, tasks) => {
    await cancelSome(world, tasks)
    await world.platforms.nodes[0]?.end('SIGKILL')
    await world.platforms.nodes[0]?.restart()
  },
  'restart of sshd': ({ sshd }) => sshd.restart(),
  'kill of commands on the server': async ({ home, struck }) => {
    for (const process of listServerProcesses(home).filter(isOfCommand).slice(0, 3)) {
      struck.add(taskOf(process) ?? 0)
      killGroup(process.group)
    }
  },
  /** As when the machine goes down: the runners around the commands end as well, so nothing reports the end. */
  'restart of the server': async ({ home, interrupted, sshd }) => {
    // A runner may have started one more of its helpers between the list and its end: what is dead starts nothing, so it comes to an end.
    for (let pass = 0, processes = listServerProcesses(home); pass < MOST_PASSES && processes.length > 0; pass++) {
      for (const process of processes) interrupted.add(taskOf(process) ?? 0)
      for (const { group } of processes) killGroup(group)
      processes = listServerProcesses(home)
    }
    await sshd.restart()
  },
} satisfies Record<string, Fault>

/** Platforms go on starting steps meanwhile. */
const MOST_PASSES = 5

export type FaultName = keyof typeof faults

/** A user cancels some of the running tasks. Those that have just ended, or switched, are too late for it. */
async function cancelSome({ platforms, client, canceled }: World, tasks: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from tasks where id in (${sql.join(tasks)}) and status = 'running' and cancel_requested_at is null
    order by id limit 3`.execute(platforms.db)
  for (const { id } of rows) {
    // Noted first: it may be over before the answer is here.
    canceled.add(id)
    await client.cancelTask({ params: { id } }).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'too_late')) throw error
    })
  }
}

/** Waits so long, or until nothing is left to disturb. */
async function passes({ platforms }: World, tasks: readonly number[], seconds: number): Promise<void> {
  const open = platforms.db.selectFrom('tasks').where('id', 'in', tasks).where('finished_at', 'is', null).select('id')
  await comesTrue(async () => (await open.execute()).length === 0, seconds)
}
