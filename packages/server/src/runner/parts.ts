// What the runner works with beside the context.
import type { Hosts } from '../remote/hosts.ts'
import type { SealedMemory } from '../secrets/memory/sealed-memory.ts'
import type { Source } from '../source/source.ts'
import type { Edges } from './edges/edges.ts'

export type RunnerParts = {
  readonly hosts: Hosts
  readonly source: Source
  readonly edges: Edges
  /** What Compose has printed, by server and environment. */
  readonly printed: SealedMemory
}
