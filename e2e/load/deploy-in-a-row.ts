// Deployments in a row under load: counts the requests and lists every wrong result.
import { type RequestFigures, sendRequests, together } from './requests.ts'
import { type HeldSockets, holdSockets, type SocketFigures } from './web-sockets.ts'
import { type EndedTask, type LoadWorld, mustHaveSucceeded } from './world.ts'

type Options = {
  readonly deployments: number
  readonly perSecond: number
  readonly sockets: number
  readonly onDeployed?: (task: EndedTask) => void
}

type RowFigures = {
  readonly requests: RequestFigures
  readonly sockets: SocketFigures
  /** Of each deployment. */
  readonly seconds: readonly number[]
  /** Failed requests, responses of a version that was not live, WebSockets that ended before the drain did. */
  readonly lost: readonly string[]
}

/** Version 0 serves at first; each deployment replaces it with the next number. */
export async function deployInARow(world: LoadWorld, options: Options): Promise<RowFigures> {
  const targets = [world.target, ...world.others]
  const senders = targets.map((target) => sendRequests(target, options.perSecond / targets.length))
  const requests = { stop: async () => together(await Promise.all(senders.map(({ stop }) => stop()))) }
  const sockets = holdSockets(world.target, options.sockets)
  const tasks: EndedTask[] = []
  try {
    for (let version = 1; version <= options.deployments; version++) {
      world.journey.commit(world.files(String(version)))
      const task = await world.deploy()
      mustHaveSucceeded(task)
      tasks.push(task)
      options.onDeployed?.(task)
    }
  } catch (error) {
    await Promise.all([requests.stop(), sockets.stop()])
    throw error
  }
  return sumUp(tasks, await stopBoth(requests, sockets))
}

type Both = { readonly requests: RequestFigures; readonly sockets: SocketFigures }

/** Closes the sockets first: requests continue while they end. */
async function stopBoth(requests: { stop(): Promise<RequestFigures> }, sockets: HeldSockets): Promise<Both> {
  const heldFigures = await sockets.stop()
  return { sockets: heldFigures, requests: await requests.stop() }
}

function sumUp(tasks: readonly EndedTask[], { requests, sockets }: Both): RowFigures {
  return {
    requests,
    sockets,
    seconds: tasks.map(({ duration_ms: duration }) => (duration ?? 0) / 1000),
    lost: [
      ...requests.failed.map((failure) => `request ${failure}`),
      ...sockets.failed.map((failure) => `WebSocket ${failure}`),
      ...[...requests.versions].flatMap(([version, seen]) => outOfTurn(tasks, version, seen)),
      ...sockets.ended.flatMap((socket) => cutOff(tasks, socket)),
    ],
  }
}

/** A version may answer from the start of its switch on, and requests sent after the end of the next switch must not reach it. */
function outOfTurn(
  tasks: readonly EndedTask[],
  version: string,
  seen: { firstAnsweredAt: number; lastSentAt: number },
) {
  const own = tasks[Number(version) - 1]
  const next = tasks[Number(version)]
  const early = own ? spanOf(own, 'Switch routes').from - seen.firstAnsweredAt : 0
  const late = next ? seen.lastSentAt - spanOf(next, 'Switch routes').to : 0
  return [
    ...(early > 0 ? [`version ${version} answered ${early} ms before its switch`] : []),
    ...(late > 0 ? [`version ${version} answered what was sent ${late} ms after the switch away from it`] : []),
  ]
}

function cutOff(tasks: readonly EndedTask[], { version, at }: { version: string; at: number }): string[] {
  const next = tasks[Number(version)]
  const early = next ? spanOf(next, 'Drain the old version').to - at : Number.POSITIVE_INFINITY
  return early > 0 ? [`a WebSocket of version ${version} ended ${early} ms before the drain did`] : []
}

function spanOf(task: EndedTask, name: string): { from: number; to: number } {
  const step = task.phases.flatMap(({ steps }) => steps).find((one) => one.name === name)
  if (!step?.started_at || step.duration_ms === null) throw new Error(`Deployment ${task.id} has no step "${name}"`)
  const from = Date.parse(step.started_at)
  return { from, to: from + step.duration_ms }
}
