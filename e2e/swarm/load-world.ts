// An environment on a Swarm as the target of the proofs under load.
import { ended } from '../journey.ts'
import { composeFile, sampleFiles } from '../load/sample.ts'
import { type EndedTask, type LoadWorld, mustHaveSucceeded } from '../load/world.ts'
import type { SwarmWorld } from './world.ts'

type Options = {
  readonly name: string
  readonly replicas: number
  /** The address of the edge that the requests go through. */
  readonly edge: string
  /** A deployment that fails since its manager is lost is made again, so many times at most. */
  readonly tries?: number
  readonly onTry?: (task: EndedTask) => void
}

/** Version `0` serves when it resolves. */
export async function beginSwarmLoad(
  { journey, client }: SwarmWorld,
  { name, replicas, edge, tries = 1, onTry }: Options,
): Promise<LoadWorld> {
  const files = (version: string) => ({
    ...sampleFiles(version),
    'compose.yml': `${composeFile}    deploy: { replicas: ${replicas} }\n`,
  })
  const environmentId = await journey.createEnvironment(name)
  const deployOnce = async (): Promise<EndedTask> => {
    const { id } = await client.startDeployment({ params: { id: environmentId } })
    const task = await ended(client, id, 300)
    onTry?.(task)
    return task
  }
  const deploy = async (): Promise<EndedTask> => {
    for (let left = tries - 1; left > 0; left--) {
      const task = await deployOnce()
      if (task.status === 'succeeded') return task
    }
    return deployOnce()
  }
  journey.commit(files('0'))
  mustHaveSucceeded(await deploy())
  const target = { port: 80, host: `${name}.hello.localhost`, address: edge }
  return { journey, environmentId, target, others: [], files, deploy, stop: async () => undefined }
}
