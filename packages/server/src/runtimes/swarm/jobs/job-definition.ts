// A service of the Swarm that runs once, made from one that serves: the same image, variables, networks, volumes, secrets and limits, and another
// command. It gets no requests: it publishes no port, and has none of the service's names.
//
// A Swarm has no way into a container of another node, so actions and one-off commands get a container of their own there. It runs on the node
// of a container that serves: its image and its volumes are there. What needs a way into its container has it on the manager in use, where the
// container waits and commands enter it.
import { z } from 'zod'
import type { Command } from '../../../commands/command.ts'
import { dockerScript } from '../../../commands/docker/script.ts'
import { ONE_OFF } from '../../../domain/compose/orphaned-containers.ts'
import type { ContainerOwner } from '../../../domain/compose/project-name.ts'

/** The definition of a service, as the Engine says it. Values of variables are in it. */
export const ServiceDefinition = z.looseObject({
  TaskTemplate: z.looseObject({
    ContainerSpec: z.looseObject({ Image: z.string().catch('') }),
    Networks: z
      .array(z.looseObject({ Target: z.string() }))
      .nullable()
      .catch(null),
    Placement: z.looseObject({ Constraints: z.array(z.string()).nullish().catch(null) }).nullish(),
  }),
})

type Definition = z.infer<typeof ServiceDefinition>

export type NewJob = {
  readonly owner: ContainerOwner
  /** Null for a terminal, which is no task. */
  readonly taskId: number | null
  readonly name: string
}

type Job = NewJob & { readonly words: Command; readonly nodeId: string }

export type NewHold = NewJob & {
  /** What is to run in it, for the program that a certificate runs. Nothing where that is known otherwise. */
  readonly words: readonly string[]
  readonly hasTerminal: boolean
  /** The platform process that carries its terminal. */
  readonly processId?: string | undefined
}

/** The body of a request to the Engine. It has no task until it is scaled to one. */
export function jobDefinition(definition: Definition, { words, nodeId, ...job }: Job): object {
  const [program, ...others] = words satisfies Command
  const container = { Command: [program], Args: others, TTY: false, OpenStdin: false }
  return serviceOf(definition, { labels: jobLabels(job), name: job.name, nodeId, container })
}

/** The same for a container that waits for commands. Stopping it needs no time: commands in it are ended before. */
export function holdDefinition(
  definition: Definition,
  { words, hasTerminal, processId, nodeId, ...job }: NewHold & { readonly nodeId: string },
): object {
  const container = {
    Command: dockerScript('wait-for-commands'),
    Args: words,
    TTY: hasTerminal,
    OpenStdin: true,
    StopGracePeriod: 0,
  }
  const labels = { ...jobLabels(job), ...(processId !== undefined && { 'shipway.process': processId }) }
  return serviceOf(definition, { labels, name: job.name, nodeId, container })
}

type OwnParts = {
  readonly labels: Readonly<Record<string, string>>
  readonly name: string
  readonly nodeId: string
  readonly container: object
}

function serviceOf({ TaskTemplate }: Definition, { labels, name, nodeId, container }: OwnParts): object {
  const { ContainerSpec, Networks, Placement, ...template } = TaskTemplate
  return {
    Name: name,
    Labels: labels,
    TaskTemplate: {
      ...template,
      ContainerSpec: {
        ...ContainerSpec,
        Labels: labels,
        Healthcheck: { Test: ['NONE'] },
        // Stop signals reach the command: the first process of a container ignores those that it does not handle.
        Init: true,
        ...container,
      },
      RestartPolicy: { Condition: 'none' },
      // With its own constraints: where the service may not run, the Swarm does not run this either.
      Placement: { Constraints: [...(Placement?.Constraints ?? []), `node.id==${nodeId}`] },
      Networks: (Networks ?? []).map(({ Target }) => ({ Target })),
    },
    Mode: { Replicated: { Replicas: 0 } },
    EndpointSpec: { Mode: 'dnsrr' },
  }
}

/** Without the name of a service, nothing takes it for the service. */
const jobLabels = ({ owner, taskId }: Pick<NewJob, 'owner' | 'taskId'>): Record<string, string> => ({
  'shipway.installation': owner.installationId,
  'shipway.environment': String(owner.environmentId),
  'shipway.task': taskId === null ? '' : String(taskId),
  'shipway.mode': ONE_OFF,
  'shipway.service': '',
})
