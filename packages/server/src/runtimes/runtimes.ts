// All runtimes, and the choice between them.
import type { RuntimeName } from '@shipway/api/values/runtime'
import { composeRuntime } from './compose/compose-runtime.ts'
import type { Runtime } from './runtime.ts'
import { swarmRuntime } from './swarm/swarm-runtime.ts'

const runtimes: Readonly<Record<RuntimeName, Runtime>> = { compose: composeRuntime, swarm: swarmRuntime }

export const runtimeOf = (server: { readonly runtime: RuntimeName }): Runtime => runtimes[server.runtime]
