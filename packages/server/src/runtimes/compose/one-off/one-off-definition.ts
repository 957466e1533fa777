// The container of a one-off command, made from that of a service: the same image, variables, networks, volumes and limits, and another
// command. It gets no requests: it publishes no port, has none of the service's names, and no label of Compose or of other programs.
import type { Command } from '../../../commands/command.ts'
import { ONE_OFF } from '../../../domain/compose/orphaned-containers.ts'
import type { OneOff } from '../../runtime.ts'
import type { Definition } from '../containers/definition.ts'

/** The body of a request to the Engine. It holds values of variables. */
export function oneOffBody(definition: Definition, oneOff: OneOff): object {
  const { Config, HostConfig, Image } = definition
  const { ExposedPorts: _, Hostname, MacAddress: __, ...config } = Config
  const [program, ...words] = oneOff.words satisfies Command
  const isTerminal = oneOff.input === 'terminal'
  const hasInput = oneOff.input !== 'none'
  const { NetworkMode: mode } = HostConfig
  const isOwnNetwork = typeof mode === 'string' && mode in (definition.NetworkSettings.Networks ?? {})
  return {
    ...config,
    ...(isChosen(Hostname) && { Hostname }),
    Image,
    Entrypoint: [program],
    Cmd: words,
    Healthcheck: { Test: ['NONE'] },
    Labels: labelsOf(definition, oneOff),
    Tty: isTerminal,
    OpenStdin: hasInput,
    // The command sees the end of its input when the user's connection ends.
    StdinOnce: hasInput,
    AttachStdin: hasInput,
    AttachStdout: true,
    AttachStderr: true,
    HostConfig: {
      ...HostConfig,
      PortBindings: {},
      PublishAllPorts: false,
      RestartPolicy: { Name: 'no' },
      AutoRemove: true,
      // Ctrl-C and stop signals reach the command: the first process of a container ignores signals that it does not handle.
      Init: true,
      // What it prints goes to its task or to its user, and not also to the disk.
      LogConfig: { Type: 'none', Config: {} },
      ContainerIDFile: '',
      ...(oneOff.size && { ConsoleSize: [oneOff.size.rows, oneOff.size.columns] }),
    },
    NetworkingConfig: { EndpointsConfig: isOwnNetwork ? { [mode]: {} } : {} },
  }
}

/** Docker names a container after its id unless the compose file chose a host name. */
const isChosen = (hostname: unknown): boolean => typeof hostname === 'string' && !/^[0-9a-f]{12}$/.test(hostname)

function labelsOf({ Config: { Labels } }: Definition, { owner, taskId, processId }: OneOff): Record<string, string> {
  return {
    'shipway.installation': owner.installationId,
    'shipway.environment': String(owner.environmentId),
    'shipway.task': taskId === null ? '' : String(taskId),
    // Its networks stay as long as it does.
    'shipway.release': Labels['shipway.release'] ?? '',
    'shipway.mode': ONE_OFF,
    'shipway.service': '',
    ...(processId !== undefined && { 'shipway.process': processId }),
  }
}

/** The paths of releases that it mounts. A link on the way could lead anywhere on the server by now. */
export function mountedPaths({ Mounts }: Definition, releases: string): readonly string[] {
  return Mounts.flatMap(({ Type, Source = '' }) =>
    Type === 'bind' && Source.startsWith(`${releases}/`) ? [Source] : [],
  )
}
