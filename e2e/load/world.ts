// The target of the load: a platform, a server over ssh with a real Engine and a real HAProxy, and a live environment there.
import type { Build } from '../../tools/platform.ts'
import { beginJourney, ended, type Journey } from '../journey.ts'
import type { RequestTarget } from './requests.ts'
import { sampleFiles } from './sample.ts'

export type LoadWorld = {
  readonly journey: Journey
  readonly environmentId: number
  readonly target: RequestTarget
  /** Other targets of requests. */
  readonly others: readonly RequestTarget[]
  /** Files of the repository for each version. */
  readonly files: (version: string) => Readonly<Record<string, string>>
  deploy(): Promise<EndedTask>
  stop(): Promise<void>
}

export type EndedTask = Awaited<ReturnType<typeof ended>>

type Options = {
  readonly dockerHost: string
  readonly home?: string
  readonly settings?: Readonly<Record<string, string>>
  /** The platform that deploys version `0`. */
  readonly build?: Build
  readonly files?: LoadWorld['files']
  /** Additional routed services. */
  readonly services?: readonly string[]
}

/** Version `0` serves when it resolves. */
export async function beginLoadWorld({
  settings,
  files = sampleFiles,
  services = [],
  ...where
}: Options): Promise<LoadWorld> {
  const journey = await beginJourney('embedded', 'ssh', {
    ...where,
    settings: { SHIPWAY_LEAST_DISK_MIB: '1', ...settings },
  })
  try {
    journey.commit(files('0'))
    const environmentId = await journey.createEnvironment('main')
    const deploy = async (): Promise<EndedTask> => {
      const { id } = await journey.client.startDeployment({ params: { id: environmentId } })
      return ended(journey.client, id)
    }
    mustHaveSucceeded(await deploy())
    if (journey.edgePort === undefined) throw new Error('The server has no edge')
    const target = { port: journey.edgePort, host: 'main.hello.localhost' }
    const others = services.map((name) => ({ ...target, host: `main-${name}.hello.localhost` }))
    return { journey, environmentId, target, others, files, deploy, stop: journey.stop }
  } catch (error) {
    await journey.stop()
    throw error
  }
}

export function mustHaveSucceeded(task: EndedTask): void {
  if (task.status !== 'succeeded')
    throw new Error(`Deployment ${task.id} ended as ${task.status}: ${JSON.stringify(task.failed_step)}`)
}
