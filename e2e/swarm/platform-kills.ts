// kill -9 of the platform at the steps of deployments on a Swarm, with requests under way: none is lost, nothing is done twice.
import { ask } from '../ask.ts'
import { comesTrue, ended } from '../journey.ts'
import { type RequestFigures, sendRequests } from '../load/requests.ts'
import { sampleFiles } from '../load/sample.ts'
import type { SwarmWorld } from './world.ts'

export const SWARM_STEPS = [
  'Find the compose file',
  'Allocate balance groups',
  'Push the commit',
  'Check out',
  'Write variables',
  'Check the compose file',
  'Build images',
  'Push images',
  'Plan services',
  'Migrate',
  'Start web',
  'Wait for web',
  'Join the balance',
  'Switch routes',
  'Drain the old version',
  'Remove the old version',
] as const

const NAME = 'kills'
const HOST = `${NAME}.hello.localhost`

/** The release command notes its version where the next ones find it. */
const files = (version: string) => ({
  ...sampleFiles(version),
  '.service.yml': `services:
  web: { port: 3000, health: /healthz }
docker:
  compose: compose.yml
  release: { name: Migrate, run: "echo ran-${version} >> /notes/ran", service: keeper }
actions:
  notes: { run: cat /notes/ran, service: keeper }
`,
  'compose.yml': `services:
  web:
    build: .
    deploy: { replicas: 2 }
  keeper:
    image: shipway-test/busybox
    command: sleep 99999
    volumes: [notes:/notes]
    stop_grace_period: 0s
volumes: { notes: {} }
`,
})

type KillFigures = {
  readonly requests: RequestFigures
  readonly kills: number
  /** A sentence for each thing that is not as it should be. */
  readonly wrong: readonly string[]
}

type Options = {
  readonly steps: readonly string[]
  readonly edge: string
  readonly perSecond: number
  readonly onKilled?: (step: string, state: string) => void
}

export async function killPlatform(world: SwarmWorld, options: Options): Promise<KillFigures> {
  const { journey, client } = world
  const { steps, edge, perSecond, onKilled } = options
  const params = { id: await journey.createEnvironment(NAME) }
  const wrong: string[] = []
  const end = async (taskId: number) => ended(client, taskId, 240)
  const start = async (version: string, changes: Readonly<Record<string, string>> = {}) => {
    journey.commit({ ...files(version), ...changes })
    return (await client.startDeployment({ params })).id
  }
  const killAt = async (taskId: number, name: string): Promise<void> => {
    const isReached = async (): Promise<boolean> => {
      const task = await client.getTask({ params: { id: taskId } })
      return task.finished_at !== null || task.phases.some((phase) => phase.steps.some((step) => step.name === name))
    }
    if (!(await comesTrue(isReached))) wrong.push(`${name} was never reached`)
    journey.platform.process.kill('SIGKILL')
    await journey.platform.restart()
  }
  const first = await end(await start('0'))
  if (first.status !== 'succeeded') throw new Error(`Version 0: ${JSON.stringify(first.failed_step)}`)
  const requests = sendRequests({ port: 80, host: HOST, address: edge }, perSecond)
  try {
    for (const [index, step] of steps.entries()) {
      const version = String(index + 1)
      const taskId = await start(version)
      await killAt(taskId, step)
      const { status, failed_step: failed } = await end(taskId)
      onKilled?.(step, status)
      if (status !== 'succeeded') wrong.push(`${step}: ${status}, ${JSON.stringify(failed)}`)
      const { text } = await ask(80, HOST, '/', edge)
      if (text !== version) wrong.push(`${step}: ${text} serves in place of ${version}`)
    }
    const bad = await start('bad', { 'server.js': 'process.exit(3)\n' })
    await killAt(bad, 'Wait for web')
    const { status } = await end(bad)
    onKilled?.('Wait for web, of a bad version', status)
    if (status !== 'failed') wrong.push(`the bad version: ${status}`)
    wrong.push(...(await findDoubled(world, { params, steps })))
  } catch (error) {
    await requests.stop()
    throw error
  }
  const figures = await requests.stop()
  if (figures.versions.has('bad')) wrong.push('the bad version answered')
  return { requests: figures, kills: steps.length + 1, wrong }
}

type Killed = { readonly params: { readonly id: number }; readonly steps: readonly string[] }

async function findDoubled({ client, managers }: SwarmWorld, { params, steps }: Killed): Promise<readonly string[]> {
  const wrong: string[] = []
  const { id } = await client.runAction({ params: { ...params, name: 'notes' } })
  await ended(client, id)
  const log = await client.readTaskLog({ params: { id } })
  for (const version of ['0', ...steps.map((_, index) => String(index + 1))]) {
    const times = log.match(new RegExp(`^ran-${version}$`, 'gm'))?.length ?? 0
    if (times !== 1) wrong.push(`the release command of version ${version} ran ${times} times`)
  }
  const [manager] = managers
  const filter = ['--filter', `label=shipway.environment=${params.id}`, '--filter', 'label=shipway.service=web']
  const isOne = async (): Promise<boolean> =>
    (await manager?.node.docker('service', 'ls', '--quiet', ...filter))?.split('\n').filter(Boolean).length === 1
  if (!(await comesTrue(isOne))) wrong.push('more than one version of web is left')
  return wrong
}
