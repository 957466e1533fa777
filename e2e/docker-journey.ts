// A journey of a project with containers, on the Docker Engine that all test files share.
import { sharedEngine } from '../packages/server/test/docker/shared-engine.ts'
import { beginJourney, type Journey } from './journey.ts'

export type DockerJourney = Journey & {
  /** Output of a docker command on that Engine. */
  docker(...words: string[]): Promise<string>
}

export async function beginDockerJourney(
  connection: 'local' | 'ssh',
  { drainSeconds, ...where }: { readonly drainSeconds: number; readonly letsPeopleIn?: boolean },
): Promise<DockerJourney> {
  const { docker, host: dockerHost } = await sharedEngine()
  const settings = {
    SHIPWAY_LEAST_DISK_MIB: '1',
    SHIPWAY_DRAIN_SECONDS: String(drainSeconds),
  }
  return { ...(await beginJourney('embedded', connection, { ...where, dockerHost, settings })), docker }
}
