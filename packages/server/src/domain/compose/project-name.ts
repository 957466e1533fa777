// Names by which Docker knows an environment.

/** The labels of everything that Docker has of an environment. */
export type ContainerOwner = { readonly installationId: string; readonly environmentId: number }

/** Stays the same for the life of the environment. */
export const composeProjectName = ({ installationId, environmentId }: ContainerOwner): string =>
  `shipway-${installationId}-${environmentId}`
