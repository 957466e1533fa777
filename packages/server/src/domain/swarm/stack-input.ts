// What the documents of a stack are made of.
import type { ComposeLimits, ComposeModel, Plan, ServicePlan } from '@shipway/rules/compose/model'
import type { ContainerOwner } from '../compose/project-name.ts'
import type { StackFile } from './stack-files.ts'

export type StackInput = {
  /** Checked, with mounts in their places. */
  readonly model: ComposeModel
  /** Of all services. Only those that all releases share may be unchanged. */
  readonly plan: Plan
  readonly ids: ContainerOwner
  readonly taskId: number
  /** Of each service, by digest. */
  readonly images: ReadonlyMap<string, string>
  /** Paths of the volumes that images declare. */
  readonly imageVolumes: ReadonlyMap<string, readonly string[]>
  /** Custom and system ones. They win over whatever the files say. */
  readonly variables: ReadonlyMap<string, string>
  /** Of each container. */
  readonly limits: ComposeLimits
  /** The balance group of each routed service. */
  readonly groups: ReadonlyMap<string, number>
  /** Chosen for the environment: they win over the file. */
  readonly replicas: ReadonlyMap<string, number>
  /** By the keys of `stackFiles`. */
  readonly files: ReadonlyMap<string, StackFile>
  /** The node and the name of each volume that is on one, by the keys of `nodeVolumes`. */
  readonly volumes: ReadonlyMap<string, VolumePlace>
  /** SHA-256 as hexadecimal. */
  readonly digest: (text: string) => string
}

export type VolumePlace = {
  /** Its id. */
  readonly node: string
  /** The volume's name there. */
  readonly name: string
}

/** Whether all releases share its one service, which is updated in place. */
export const isShared = ({ canRunTwice, mode }: Pick<ServicePlan, 'canRunTwice' | 'mode'>): boolean =>
  !canRunTwice && mode !== 'one_shot'
