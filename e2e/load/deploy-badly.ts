// Deployments that cannot succeed, under load: each must say why, and no visitor of the live version may notice.
import { ended, until } from '../journey.ts'
import type { BadKind } from './bad-kinds.ts'
import { type RequestFigures, sendRequests } from './requests.ts'
import { sampleFiles } from './sample.ts'
import type { SmallDisk } from './small-disk.ts'
import { holdSockets, type SocketFigures } from './web-sockets.ts'
import type { EndedTask, LoadWorld } from './world.ts'

type Options = {
  readonly kinds: readonly BadKind[]
  /** Number of deployments of each kind. */
  readonly times: number
  readonly perSecond: number
  readonly sockets: number
  /** The disk of the server's home; needed for the kind that fills it. */
  readonly disk?: SmallDisk
  readonly onEnded?: (kind: BadKind, task: EndedTask) => void
}

type BadFigures = {
  readonly requests: RequestFigures
  readonly sockets: SocketFigures
  readonly deployments: number
  /** Deployments that ended differently than their kind must. */
  readonly wrong: readonly string[]
  /** Requests and WebSockets that noticed something. */
  readonly lost: readonly string[]
}

/** Version 0 serves, before and after. */
export async function deployBadly(world: LoadWorld, options: Options): Promise<BadFigures> {
  await world.journey.createEnvironment('other')
  const requests = sendRequests(world.target, options.perSecond)
  const sockets = holdSockets(world.target, options.sockets)
  const wrong: string[] = []
  let deployments = 0
  try {
    for (let turn = 1; turn <= options.times; turn++) {
      for (const kind of options.kinds) {
        const task = await deployOne(world, kind, { number: ++deployments, disk: options.disk })
        wrong.push(...faultsOf(kind, task))
        options.onEnded?.(kind, task)
      }
    }
  } catch (error) {
    await Promise.all([requests.stop(), sockets.stop()])
    throw error
  }
  const held = await sockets.stop()
  const sent = await requests.stop()
  return { requests: sent, sockets: held, deployments, wrong, lost: lostOf(sent, held) }
}

type One = { readonly number: number; readonly disk: SmallDisk | undefined }

async function deployOne(world: LoadWorld, kind: BadKind, { number, disk }: One): Promise<EndedTask> {
  const { journey, environmentId } = world
  const version = `bad-${number}`
  const changes = Object.entries(kind.files ?? {}).map(([path, text]) => [
    path,
    text?.replace('VERSION', version) ?? null,
  ])
  journey.commit({ ...sampleFiles(version), ...Object.fromEntries(changes) })
  const moveTo = (branch: string) =>
    journey.client.updateEnvironment({ params: { id: environmentId }, body: { branch } })
  if (kind.around === 'no branch') await moveTo('gone')
  if (kind.around === 'full disk') disk?.fill()
  try {
    if (kind.canceledIn !== undefined) return await deployAndCancel(world, kind.canceledIn)
    return await world.deploy()
  } finally {
    if (kind.around === 'no branch') await moveTo('main')
    disk?.empty()
  }
}

async function deployAndCancel({ journey: { client }, environmentId }: LoadWorld, step: string): Promise<EndedTask> {
  const { id } = await client.startDeployment({ params: { id: environmentId } })
  await until(async () => {
    const task = await client.getTask({ params: { id } })
    if (task.finished_at !== null)
      throw new Error(`It ended before it was canceled: ${JSON.stringify(task.failed_step)}`)
    return stepsOf(task).some(({ name, status }) => name === step && status === 'running') || undefined
  }, `${step} of task ${id} runs`)
  await client.cancelTask({ params: { id } })
  return ended(client, id)
}

const stepsOf = (task: Pick<EndedTask, 'phases'>) => task.phases.flatMap(({ steps }) => steps)

function faultsOf({ name, step, says, canceledIn }: BadKind, task: EndedTask): string[] {
  const status = canceledIn === undefined ? 'failed' : 'canceled'
  const last = stepsOf(task).findLast((one) => one.status === status)
  const isRight = task.status === status && last?.name === step && (says === undefined || says.test(last.message ?? ''))
  if (isRight) return []
  return [`${name}: deployment ${task.id} ended as ${task.status} in "${last?.name}", which said: ${last?.message}`]
}

function lostOf(requests: RequestFigures, sockets: SocketFigures): string[] {
  return [
    ...requests.failed.map((failure) => `request ${failure}`),
    ...[...requests.versions].flatMap(([version, seen]) =>
      version === '0' ? [] : [`version ${version} answered ${seen.requests} requests`],
    ),
    ...sockets.failed.map((failure) => `WebSocket ${failure}`),
    ...sockets.ended.map(({ at }) => `a WebSocket ended at ${new Date(at).toISOString()}`),
  ]
}
