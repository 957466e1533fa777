// The containers of an environment as docker has them, read without anything that could hold a variable.
import { z } from 'zod'
import type { Host } from '../../../remote/host.ts'
import { askDocker } from '../ask-docker.ts'
import { dockerScript } from '../script.ts'

export type ContainerOwner = { readonly installationId: string; readonly environmentId: number }

export type Container = z.infer<typeof Container>

const text = z.string().catch('')

const Container = z.object({
  id: z.string(),
  service: text,
  /** The task that started it. */
  task: z.coerce.number().catch(0),
  slot: z.enum(['a', 'b']).nullable().catch(null),
  hash: text,
  mode: text,
  /** `replaced`: it took the place of another one, which is gone. */
  origin: text,
  status: z.string(),
  health: z.string().nullable(),
  exitCode: z.int(),
  isOutOfMemory: z.boolean(),
  /** What it may use; 0 without a limit. */
  memoryBytes: z.int().catch(0),
  restarts: z.int(),
  error: text,
  /** On the machine, while it runs. */
  ports: z.array(z.coerce.number()).catch([]),
  /** Behind its name, by Compose; and the version of that. */
  number: z.coerce.number().catch(0),
  composeVersion: text,
})

export async function listContainers(
  host: Host,
  { installationId, environmentId }: ContainerOwner,
): Promise<Container[]> {
  const command = dockerScript('list-containers', installationId, String(environmentId), FORMAT)
  const lines = (await askDocker(host, command)).split('\n').filter(Boolean)
  return lines.map((line) => Container.parse(JSON.parse(line)))
}

const labelOf = (name: string): string => `{{json (index .Config.Labels "${name}")}}`
const label = (name: string): string => labelOf(`shipway.${name}`)

const FORMAT =
  `{"id":{{json .ID}},"service":${label('service')},"task":${label('task')},"slot":${label('slot')},` +
  `"hash":${label('hash')},"mode":${label('mode')},"origin":${label('origin')},"status":{{json .State.Status}},` +
  '"health":{{if .State.Health}}{{json .State.Health.Status}}{{else}}null{{end}},"exitCode":{{.State.ExitCode}},' +
  '"isOutOfMemory":{{.State.OOMKilled}},"memoryBytes":{{.HostConfig.Memory}},"restarts":{{.RestartCount}},"error":{{json .State.Error}},' +
  '"ports":[{{range .NetworkSettings.Ports}}{{range .}}{{json .HostPort}},{{end}}{{end}}0],' +
  `"number":${labelOf('com.docker.compose.container-number')},"composeVersion":${labelOf('com.docker.compose.version')}}`
