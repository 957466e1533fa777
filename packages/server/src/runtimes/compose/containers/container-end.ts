// How the container that a task started for a service has ended, if it has.
import { z } from 'zod'
import { dockerScript } from '../../../commands/docker/script.ts'
import type { Deployment } from '../../../deployment/deployment.ts'
import { askDocker } from '../../../remote/ask-docker.ts'
import type { Host } from '../../../remote/host.ts'

export type ContainerEnd = z.infer<typeof ContainerEnd>

const ContainerEnd = z.object({
  exitCode: z.int(),
  isOutOfMemory: z.boolean(),
  /** Its memory limit; 0 without one. */
  memoryBytes: z.int().catch(0),
  error: z.string().catch(''),
})

/** Undefined where there is no such container. */
export async function findEnd(
  host: Host,
  { ids, taskId }: Pick<Deployment, 'ids' | 'taskId'>,
  service: string,
): Promise<ContainerEnd | undefined> {
  const words = [ids.installationId, String(ids.environmentId), String(taskId), service]
  const printed = await askDocker(host, dockerScript('container-end', ...words, FORMAT))
  const [line] = printed.split('\n')
  return line ? ContainerEnd.parse(JSON.parse(line)) : undefined
}

const FORMAT =
  '{"exitCode":{{.State.ExitCode}},"isOutOfMemory":{{.State.OOMKilled}},"memoryBytes":{{.HostConfig.Memory}},' +
  '"error":{{json .State.Error}}}'
