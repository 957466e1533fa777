// Names by which docker knows an environment.
import type { Place } from './containers/list-containers.ts'

/** The same for the life of the environment. */
export const composeProjectName = ({ installationId, environmentId }: Place): string =>
  `shipway-${installationId}-${environmentId}`
