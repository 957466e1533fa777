// What the runner works with beside the context.

import type { Edges } from '../edge/edges.ts'
import type { Hosts } from '../remote/hosts.ts'
import type { SealedMemory } from '../secrets/encrypted-cache.ts'
import type { Source } from '../source/source.ts'

export type RunnerParts = {
  readonly hosts: Hosts
  readonly source: Source
  readonly edges: Edges
  /** What Compose has printed, by server and environment. */
  readonly printed: SealedMemory
}
