// What the runner needs beside the context.

import type { Edges } from '../edge/edges.ts'
import type { Hosts } from '../remote/hosts.ts'
import type { EncryptedCache } from '../secrets/encrypted-cache.ts'
import type { Source } from '../source/source.ts'

export type RunnerDependencies = {
  readonly hosts: Hosts
  readonly source: Source
  readonly edges: Edges
  /** Output of `compose config`, by server and environment. */
  readonly composeConfigs: EncryptedCache
}
