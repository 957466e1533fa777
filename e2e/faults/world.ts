// Platforms, a repository, a server over ssh and environments on it: what faults are made in.
import { join } from 'node:path'
import type { Client } from '@shipway/api'
import type { Sshd } from '../../packages/server/test/sshd.ts'
import { beginProject, type JourneyProject } from '../journey.ts'
import type { FaultMarks } from './fault-marks.ts'
import { type Platforms, startPlatforms } from './platforms.ts'
import { MANUAL_POINTS, type WorldPoints } from './points.ts'
import { readTruth, repositoryFiles, type StepTruth } from './truth.ts'
import { findUntruths } from './untruths.ts'

export type World = FaultMarks & {
  readonly platforms: Platforms
  readonly client: Client
  readonly sshd: Sshd
  /** The home folder on the server. */
  readonly home: string
  readonly environments: readonly number[]
  readonly points: WorldPoints
  /** Commits what the next round deploys. */
  beginRound(): void
  /** The tasks of the round that has begun. */
  noteTasks(tasks: readonly number[]): void
  /** Sentences about what a task of a deployment says that is not so. */
  findUntruths(taskId: number): Promise<readonly string[]>
  /** Sentences about what is left of deployments and removals that have ended. */
  findLeft(): Promise<readonly string[]>
  /** What the destroy tasks of a deployment did. */
  readDestroyTruth(taskId: number): readonly StepTruth[]
  stop(): Promise<void>
}

export async function beginWorld(platformCount: number, environmentCount = 12): Promise<World> {
  const place = await beginPlace(await startPlatforms(platformCount), environmentCount)
  const { project, ...parts } = place
  const truthFile = join(project.gitHost.folder, 'truth')
  project.commit(repositoryFiles(truthFile))
  return {
    ...parts,
    points: MANUAL_POINTS,
    beginRound: () => undefined,
    noteTasks: () => undefined,
    findUntruths: (taskId) => findUntruths({ ...parts, truthFile }, taskId),
    findLeft: async () => [],
    readDestroyTruth: (taskId) => readTruth(truthFile, taskId, 'remove'),
  }
}

type Place = Pick<World, 'platforms' | 'client' | 'sshd' | 'home' | 'environments' | 'stop'> &
  FaultMarks & { readonly project: JourneyProject }

/** Every sixth environment, and the last, has a command that fails by itself: faults must not turn that into anything else. */
export async function beginPlace(
  platforms: Platforms,
  environmentCount: number,
  where: { readonly dockerHost?: string } = {},
): Promise<Place> {
  const url = platforms.nodes[0]?.url ?? ''
  const project = await beginProject({ url, token: platforms.token, connection: 'ssh', ...where }).catch(
    async (error) => {
      await platforms.stop()
      throw error
    },
  )
  const { client, sshd, home } = project
  if (!sshd || home === undefined) throw new Error('Faults need a server over ssh')
  const environments: number[] = []
  for (let number = 1; number <= environmentCount; number++) {
    environments.push(
      await project.createEnvironment(
        `${number % 6 === 0 || number === environmentCount ? 'failing' : 'plain'}-${number}`,
      ),
    )
  }
  return {
    project,
    platforms,
    client,
    sshd,
    home,
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
