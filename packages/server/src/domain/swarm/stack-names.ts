// Names by which a Swarm knows an environment. All of it is one stack, so that one command shows what an environment has.
//
// A service that is replaced by a new one keeps its plain name as an alias in the network of its release alone. In the networks that outlive a
// release, Docker gives every service its key as an alias, so keys of releases are no names that a compose file can mean.
import { type ContainerOwner, composeProjectName } from '../compose/project-name.ts'

/** Of `docker stack deploy`. Never with `--prune`: a stack is deployed in parts. */
export const stackName = (owner: ContainerOwner): string => composeProjectName(owner)

export type StackService = {
  readonly owner: ContainerOwner
  readonly service: string
  /** The task whose release has a service of its own; null for a service that all releases share. */
  readonly taskId: number | null
}

/** The key in the stack document. No two services of an environment have the same. */
export function stackKey({ owner, service, taskId }: StackService, digest: (text: string) => string): string {
  const prefix = taskId === null ? '' : `r${taskId}-`
  const room = LONGEST_NAME - stackName(owner).length - 1 - prefix.length
  return `${prefix}${isPlain(service) && service.length <= room ? service : encoded(service, { room, digest })}`
}

/** The service's name in the Swarm. */
export const swarmServiceName = (one: StackService, digest: (text: string) => string): string =>
  `${stackName(one.owner)}_${stackKey(one, digest)}`

/** A part of a DNS name. */
const LONGEST_NAME = 63

/** Not one of the forms that stand for other names. */
const isPlain = (name: string): boolean =>
  /^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/.test(name) && !/^(?:r\d+|x)-/.test(name)

function encoded(name: string, { room, digest }: { room: number; digest: (text: string) => string }): string {
  const readable = name.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '')
  const hash = digest(name).slice(0, HASH)
  const kept = readable.slice(0, Math.max(0, room - HASH - 3)).replace(/-$/, '')
  return kept === '' ? `x-${hash}` : `x-${kept}-${hash}`
}

const HASH = 12

/** Of a secret or config. Its content is in the name, since Swarm never changes the content of one. */
export function stackObjectName(
  owner: ContainerOwner,
  { key, digest }: { readonly key: string; readonly digest: string },
): string {
  const readable = key.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '')
  const room = LONGEST_OBJECT_NAME - stackName(owner).length - 2 - OBJECT_HASH
  const kept = readable.slice(0, Math.max(0, room)).replace(/-$/, '')
  return `${stackName(owner)}_${kept === '' ? '' : `${kept}-`}${digest.slice(0, OBJECT_HASH)}`
}

const LONGEST_OBJECT_NAME = 64
const OBJECT_HASH = 24
