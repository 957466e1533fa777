// Containers that can be made without Compose, from the plan of a run to their start. What the Engine is asked for holds values of
// variables, so it is in memory and nowhere else: a run that takes over has none of it, and Compose makes its containers.
import type { JsonObject, Plan } from '@shipway/rules/compose/model'
import { type Deployment, systemVariables } from '../../../deployment/deployment.ts'
import type { Folders } from '../../../deployment/folders.ts'
import { type ContainerRequest, containerRequest } from '../../../domain/compose/container-request.ts'
import type { ReleaseNetwork } from '../../../domain/compose/release-networks.ts'
import type { Secret } from '../../../secrets/secret.ts'
import { variablesInFile } from '../../../secrets/variable-file.ts'
import type { Container } from '../containers/list-containers.ts'

export type RequestedContainers = {
  note(requests: Requests): void
  /** Undefined where Compose makes it. */
  find(service: string): ContainerRequest | undefined
}

type Requests = ReadonlyMap<string, ContainerRequest>

export function requestedContainers(): RequestedContainers {
  let known: Requests = new Map()
  return {
    note: (requests) => {
      known = requests
    },
    find: (service) => known.get(service),
  }
}

type Known = {
  /** As it is written for Compose. */
  readonly document: JsonObject
  readonly containers: readonly Container[]
  readonly images: ReadonlyMap<string, string>
  readonly folders: Folders
  /** Of the release, which are there. */
  readonly networks: readonly ReleaseNetwork[]
}

/** For services that start beside a container which Compose has made, whose number and version they go on from. */
export function requestsFor(
  plan: Plan,
  deployment: Deployment,
  { document, containers, images, folders, networks }: Known,
): Requests {
  const variables = variablesInFile(
    new Map<string, Secret | string>([...deployment.variables, ...systemVariables(deployment)]),
  )
  const requests = plan.services.flatMap(({ name, mode }) => {
    const own = containers.filter(({ service }) => service === name)
    const composeVersion = own[0]?.composeVersion ?? ''
    const imageId = images.get(name)
    if (mode !== 'beside' || composeVersion === '' || imageId === undefined) return []
    const request = containerRequest(name, {
      document,
      variables,
      imageId,
      composeVersion,
      number: 1 + Math.max(...own.map(({ number }) => number)),
      directory: folders.task,
      file: folders.compose,
      variablesFile: folders.variables,
    })
    return request && networks.some((own) => own.name === request.network) ? [[name, request] as const] : []
  })
  return new Map(requests)
}
