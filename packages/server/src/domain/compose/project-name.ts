// Names by which Docker knows an environment.

/** The labels of everything that Docker has of an environment. */
export type ContainerOwner = { readonly installationId: string; readonly environmentId: number }

/** Stays the same for the life of the environment. */
export const composeProjectName = ({ installationId, environmentId }: ContainerOwner): string =>
  `shipway-${installationId}-${environmentId}`

/** `run`: of a task, by its id. `terminal`: a user reads and writes it; the id is made for this one. */
export const oneOffContainerName = (owner: ContainerOwner, purpose: 'run' | 'terminal', id: number | string): string =>
  `${composeProjectName(owner)}-${purpose}-${id}`
