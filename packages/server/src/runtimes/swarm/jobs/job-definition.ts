// A service of the Swarm that runs once, made from one that serves: the same image, variables, networks, volumes and limits, and another
// command. It gets no requests: it publishes no port, and has none of the service's names.
//
// A Swarm has no way into a container of another node, so actions and one-off commands get a container of their own there. It runs on the node
// of a container that serves: its image and its volumes are there.
import { z } from 'zod'
import type { Command } from '../../../commands/command.ts'
import { ONE_OFF } from '../../../domain/compose/orphaned-containers.ts'
import type { ContainerOwner } from '../../../domain/compose/project-name.ts'

/** The definition of a service, as the Engine says it. Values of variables are in it. */
export const ServiceDefinition = z.looseObject({
  TaskTemplate: z.looseObject({
    ContainerSpec: z.looseObject({}),
    Networks: z
      .array(z.looseObject({ Target: z.string() }))
      .nullable()
      .catch(null),
  }),
})

type Job = {
  readonly owner: ContainerOwner
  readonly taskId: number | null
  readonly name: string
  readonly words: Command
  readonly nodeId: string
}

/** The body of a request to the Engine. It has no task until it is scaled to one. */
export function jobDefinition({ TaskTemplate }: z.infer<typeof ServiceDefinition>, job: Job): object {
  const [program, ...words] = job.words satisfies Command
  const labels = jobLabels(job)
  const { ContainerSpec, Networks, ...template } = TaskTemplate
  return {
    Name: job.name,
    Labels: labels,
    TaskTemplate: {
      ...template,
      ContainerSpec: {
        ...ContainerSpec,
        Labels: labels,
        Command: [program],
        Args: words,
        Healthcheck: { Test: ['NONE'] },
        TTY: false,
        OpenStdin: false,
        // Stop signals reach the command: the first process of a container ignores those that it does not handle.
        Init: true,
      },
      RestartPolicy: { Condition: 'none' },
      Placement: { Constraints: [`node.id==${job.nodeId}`] },
      Networks: (Networks ?? []).map(({ Target }) => ({ Target })),
    },
    Mode: { Replicated: { Replicas: 0 } },
    EndpointSpec: { Mode: 'dnsrr' },
  }
}

/** Without the name of a service, nothing takes it for the service. */
const jobLabels = ({ owner, taskId }: Pick<Job, 'owner' | 'taskId'>): Record<string, string> => ({
  'shipway.installation': owner.installationId,
  'shipway.environment': String(owner.environmentId),
  'shipway.task': taskId === null ? '' : String(taskId),
  'shipway.mode': ONE_OFF,
  'shipway.service': '',
})
