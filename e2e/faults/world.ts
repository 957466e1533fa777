// Platforms, a repository, a server over ssh and environments on it: what faults are made in.
import { join } from 'node:path'
import type { Client } from '@shipway/api'
import type { Sshd } from '../../packages/server/test/sshd.ts'
import { beginProject } from '../journey.ts'
import { type Platforms, startPlatforms } from './platforms.ts'
import { repositoryFiles } from './truth.ts'

export type World = {
  readonly platforms: Platforms
  readonly client: Client
  readonly sshd: Sshd
  /** The home folder on the server. */
  readonly home: string
  readonly truthFile: string
  readonly environments: readonly number[]
  /** Tasks whose command a fault has ended on the server, while its runner still reports. */
  readonly struck: Set<number>
  /** Tasks for which a fault has ended everything on the server. */
  readonly interrupted: Set<number>
  /** Tasks that a user canceled. */
  readonly canceled: Set<number>
  stop(): Promise<void>
}

/** Every sixth environment, and the last, has a deploy task that fails by itself: faults must not turn that into anything else. */
export async function beginWorld(platformCount: number, environmentCount = 12): Promise<World> {
  const platforms = await startPlatforms(platformCount)
  const url = platforms.nodes[0]?.url ?? ''
  const project = await beginProject({ url, token: platforms.token, connection: 'ssh' }).catch(async (error) => {
    await platforms.stop()
    throw error
  })
  const { sshd, home } = project
  if (!sshd || home === undefined) throw new Error('Faults need a server over ssh')
  const truthFile = join(project.gitHost.folder, 'truth')
  project.commit(repositoryFiles(truthFile))
  const environments: number[] = []
  for (let number = 1; number <= environmentCount; number++) {
    environments.push(
      await project.createEnvironment(
        `${number % 6 === 0 || number === environmentCount ? 'failing' : 'plain'}-${number}`,
      ),
    )
  }
  return {
    platforms,
    client: project.client,
    sshd,
    home,
    truthFile,
    environments,
    struck: new Set(),
    interrupted: new Set(),
    canceled: new Set(),
    stop: async () => {
      await platforms.stop()
      await project.stop()
    },
  }
}
