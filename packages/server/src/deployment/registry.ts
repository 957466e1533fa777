// The registry that keeps the images of an environment on a Swarm, and what opens it: its nodes pull from there and from nowhere else.
import type { RegistryAccess, RegistryCertificates } from '../secrets/registry/registry-keys.ts'
import type { Secret } from '../secrets/secret.ts'

export type Registry = ManagerRegistry | NamedRegistry

/** Runs on the manager in use, for this platform alone. */
export type ManagerRegistry = {
  readonly type: 'manager'
  /** Of this environment. Its tokens open no other. */
  readonly repository: string
  signToken(access: RegistryAccess): Secret
  certify(address: string): RegistryCertificates
}

/** The organization named it for the server. One user opens all of it. */
type NamedRegistry = {
  readonly type: 'named'
  readonly repository: string
  /** `ghcr.io/acme`: repositories are below it. */
  readonly address: string
  readonly username: string
  readonly password: Secret
}

type RepositoryOwner = {
  readonly installationId: string
  readonly environmentId: number
  /** Only the environment knows it: a compose file could name an image that it can guess. */
  readonly imageToken: string
}

export const repositoryOf = ({ installationId, environmentId, imageToken }: RepositoryOwner): string =>
  `${repositoryPrefix(installationId)}${environmentId}-${imageToken}`

export const repositoryPrefix = (installationId: string): string => `shipway-${installationId}-env-`
