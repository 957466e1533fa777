// What a runtime reports about the services of a server, without saying how it runs them.
import type { PortAnswer, SeenContainer } from '../domain/service-state.ts'

export type ServicesToInspect = {
  readonly installationId: string
  readonly environments: readonly EnvironmentToInspect[]
  /** Kept by the caller from one inspection of a server to the next. */
  readonly counts: RestartCounts
}

export type EnvironmentToInspect = {
  readonly id: number
  readonly runsContainers: boolean
  /** The deployment that set the routes. */
  readonly taskId: number
  readonly routes: readonly RouteToTry[]
  readonly known: readonly { readonly name: string; readonly route: string | null }[]
}

type RouteToTry = {
  readonly service: string
  readonly domain: string
  readonly port: number
  readonly slot: 'a' | 'b' | null
  readonly health: string
}

/** How often each container was restarted, as far as is known. Only a young container can have been restarted since. */
export type RestartCounts = Map<string, number>

export type ServerInspection = {
  /** By environment. An environment is absent where the runtime was not asked, or did not answer. */
  readonly environments: ReadonlyMap<number, EnvironmentInspection>
  readonly answers: ReadonlyMap<number, PortAnswer>
}

export type EnvironmentInspection = {
  /** By name: the container that serves, where a service has several. */
  readonly services: ReadonlyMap<string, InspectedService>
  /** Services of the live version that no domain leads to. */
  readonly unrouted: readonly string[]
}

export type InspectedService = Omit<SeenContainer, 'restarts'> & {
  /** Undefined where it could not be counted. */
  readonly restarts: number | undefined
  readLastOutput(): Promise<LastOutput>
}

/** Unmasked output. The first `unsureBytes` may be the rest of a value that no mask recognises: never show them. */
export type LastOutput = { readonly printed: Buffer; readonly unsureBytes: number }
