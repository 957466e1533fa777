// Names by which docker knows an environment.
import type { ContainerOwner } from '../../runtimes/compose/containers/list-containers.ts'

/** The same for the life of the environment. */
export const composeProjectName = ({ installationId, environmentId }: ContainerOwner): string =>
  `shipway-${installationId}-${environmentId}`
