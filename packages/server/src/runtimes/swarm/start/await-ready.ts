// Waits until the tasks of a service may get requests, and says why they may not. Asks the Swarm again and again: nothing of it is lost when
// the platform dies, and the next process asks on.
import { setTimeout as pause } from 'node:timers/promises'
import { dockerScript } from '../../../commands/docker/script.ts'
import type { Deployment } from '../../../deployment/deployment.ts'
import type { StepIo } from '../../../deployment/run.ts'
import { type SwarmTask, type SwarmView, tasksOf, upstreamOf } from '../../../domain/swarm/swarm-view.ts'
import { type TaskProgress, taskProgress, whyLate } from '../../../domain/swarm/task-progress.ts'
import { StepFault } from '../../../domain/tasks/step-fault.ts'
import { ask } from '../../../remote/ask.ts'
import type { Host } from '../../../remote/host.ts'
import { listSwarm } from '../view/list-swarm.ts'
import type { ServiceStart } from './plan.ts'

type ReadinessCheck = {
  readonly service: Pick<ServiceStart, 'name' | 'swarmName' | 'gate' | 'health' | 'containerPort'>
  /** Undefined where it is not routed. */
  readonly domain: string | undefined
}

const LOOK_MS = 700
/** Looks in a row at which all tasks run, where nothing else tells that they are ready. */
const CALM_LOOKS = 3
/** A node that gets a large image for the first time needs a while before the task starts. */
const MOST_PULLING_MS = 15 * 60_000

export async function awaitReady(
  io: StepIo,
  { ids, readySeconds: seconds }: Pick<Deployment, 'ids' | 'readySeconds'>,
  check: ReadinessCheck,
): Promise<void> {
  const { host, signal, say } = io
  const { name, swarmName, gate } = check.service
  const began = performance.now()
  let end = began + seconds * 1000
  let calm = 0
  let printed = ''
  const sayOnce = (sentence: string): void => {
    if (sentence !== printed) say(sentence)
    printed = sentence
  }
  for (;;) {
    const view = await listSwarm(host, ids)
    const service = view.services.find((one) => one.name === swarmName)
    if (!service) throw new StepFault('check', `The new service of ${name} is gone from the Swarm`)
    const progress = taskProgress(service, tasksOf(view, service))
    if (progress.type === 'failed') {
      await sayLastLines(io, service.id)
      throw new StepFault('check', progress.sentence, progress.exitCode === null ? {} : { exitCode: progress.exitCode })
    }
    if (progress.type === 'completed') return say('It has done its work')
    const silent =
      progress.type === 'running' ? await findSilent(host, view, progress.tasks, { check, port: service.port }) : null
    calm = progress.type === 'running' ? calm + 1 : 0
    if (silent?.length === 0 && (gate !== 'running' || calm >= CALM_LOOKS)) return say(readySentence(progress))
    if (silent !== null) for (const sentence of silent) sayOnce(sentence)
    if (progress.type === 'starting' && progress.hint !== '') sayOnce(`Waiting: ${progress.hint}`)
    const isPulling = tasksOf(view, service).some(({ state }) => state === 'preparing')
    if (isPulling && performance.now() - began < MOST_PULLING_MS)
      end = Math.max(end, performance.now() + seconds * 1000)
    if (performance.now() >= end) {
      await sayLastLines(io, service.id)
      if (progress.type === 'starting') throw new StepFault('check', whyLate(name, progress, seconds))
      const isNamed = service.port === null || progress.tasks.every(({ ports }) => ports.length > 0)
      throw new StepFault('check', isNamed ? lateAnswer(check, seconds) : forgottenPort(name))
    }
    await pause(LOOK_MS, undefined, { signal })
  }
}

const readySentence = (progress: TaskProgress): string =>
  progress.type === 'running' && progress.tasks.length > 1
    ? `All ${progress.tasks.length} tasks are ready`
    : 'It is ready'

/** A sentence for each task that does not answer yet; none for a service that gets no requests. */
async function findSilent(
  host: Host,
  { nodes }: SwarmView,
  tasks: readonly SwarmTask[],
  { check: { service, domain = '127.0.0.1' }, port }: { readonly check: ReadinessCheck; readonly port: number | null },
): Promise<readonly string[]> {
  const { gate, health } = service
  if (gate !== 'http' && gate !== 'port') return []
  const upstreams = tasks.map((task) => ({ task, upstream: upstreamOf(task, { port }, nodes) }))
  const known = upstreams.flatMap(({ upstream }) =>
    typeof upstream?.port === 'number' ? [`${upstream.address}:${upstream.port}`] : [],
  )
  const printed = await ask(
    host,
    { command: dockerScript('probe-upstreams', health, domain, ...known), timeoutMs: PROBE_MS },
    `Tasks cannot be reached from ${host.name}`,
  )
  const codes = new Map(printed.split('\n').map((line) => line.split(' ') as [string, string | undefined]))
  return upstreams.flatMap(({ task, upstream }) => {
    const node = nodes.find(({ id }) => id === task.nodeId)?.name ?? 'its node'
    if (typeof upstream?.port !== 'number') return [`The Swarm names no port of the task on ${node} yet`]
    const at = `${upstream.address}:${upstream.port}`
    const code = codes.get(at) ?? '000'
    const answers = gate === 'http' ? /^[23]/.test(code) : code !== '000'
    if (answers) return []
    return [
      code === '000' ? `The task on ${node} does not answer at ${at} yet` : `${health} answers with ${code} on ${node}`,
    ]
  })
}

const PROBE_MS = 30_000

const forgottenPort = (name: string): string =>
  `The Swarm does not say at which port a task of ${name} can be reached. It forgets that when its leading manager changes while tasks start: deploy again`

function lateAnswer({ service: { name, gate, health, containerPort } }: ReadinessCheck, seconds: number): string {
  const within = `within ${seconds} seconds`
  if (gate === 'http')
    return `${name} did not answer ${health} on port ${containerPort} with 2xx or 3xx on every node ${within}`
  return (
    `Nothing answers on port ${containerPort} of ${name} ${within}. Let it listen there, on 0.0.0.0, or correct the port in .service.yml. ` +
    'If it does, the firewall of a node may keep the managers out'
  )
}

/** Most of the time that is the reason. */
async function sayLastLines({ host, say }: StepIo, serviceId: string): Promise<void> {
  const { stdout } = await host.run(dockerScript('service-logs', serviceId, String(LAST_LINES), '8'))
  const lines = stdout.toString().split('\n').filter(Boolean)
  if (lines.length === 0) return
  say('The last lines of its output:')
  for (const line of lines.slice(-LAST_LINES)) say(line)
}

const LAST_LINES = 100
