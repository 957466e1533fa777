// All environments whose logs are followed through this process, with bounds on how many.
import type { Context } from '../../context.ts'
import type { LogSource } from '../../operations/access/find-log-source.ts'
import { findEnvironmentAnywhere } from '../../store/environments/environments.ts'
import { EnvironmentOutput } from './environment-output.ts'

const MOST_FOLLOWERS = 64
const MOST_OF_ENVIRONMENT = 8
/** So that one organization cannot keep all others from their logs. */
const MOST_OF_ORGANIZATION = 32
/** Environments of one server: each takes a session of the connection for logs, which has eight. */
const MOST_OF_SERVER = 6

export type TooMany = { readonly code: 'too_many_followers'; readonly detail: string }
/** Called when there is nothing more to follow there. */
export type OnLeave = (reason: 'gone' | 'moved') => void
export type Follower = { readonly output: EnvironmentOutput; leave(): void }

type Followed = {
  readonly source: LogSource
  readonly output: EnvironmentOutput
  readonly followers: Map<OnLeave, LogSource>
}

export class EnvironmentOutputs {
  readonly #ctx: Context
  readonly #byKey = new Map<string, Followed>()
  #endListening: (() => void) | undefined

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  get followers(): number {
    return this.#count(() => true)
  }

  join(source: LogSource, onLeave: OnLeave): Follower | TooMany {
    const refusal = this.#refuse(source)
    if (refusal) return refusal
    const key = `${source.environmentId} ${source.serverId}`
    const followed = this.#byKey.get(key) ?? this.#open(key, source)
    followed.followers.set(onLeave, source)
    return {
      output: followed.output,
      leave: () => {
        if (followed.followers.delete(onLeave) && followed.followers.size === 0) this.#end(key, followed)
      },
    }
  }

  #open(key: string, source: LogSource): Followed {
    const followers: Followed['followers'] = new Map()
    const onGone = (): void => {
      for (const onLeave of [...followers.keys()]) onLeave('gone')
    }
    const followed = { source, followers, output: new EnvironmentOutput(this.#ctx, source, onGone) }
    this.#byKey.set(key, followed)
    this.#endListening ??= this.#listen()
    return followed
  }

  #end(key: string, { output }: Followed): void {
    output.stop()
    this.#byKey.delete(key)
    if (this.#byKey.size > 0) return
    this.#endListening?.()
    this.#endListening = undefined
  }

  #refuse({ environmentId, organizationId, serverId, isLocal }: LogSource): TooMany | undefined {
    if (this.followers >= MOST_FOLLOWERS)
      return tooMany(`${MOST_FOLLOWERS} readers follow service logs already. Close some of them, or try again later`)
    if (this.#count(({ source }) => source.organizationId === organizationId) >= MOST_OF_ORGANIZATION)
      return tooMany(
        `${MOST_OF_ORGANIZATION} readers of this organization follow service logs already. Close some of them first`,
      )
    if (this.#count(({ source }) => source.environmentId === environmentId) >= MOST_OF_ENVIRONMENT)
      return tooMany(
        `${MOST_OF_ENVIRONMENT} readers follow the logs of this environment already. Close one of them first`,
      )
    const onServer = [...this.#byKey.values()].filter(({ source }) => source.serverId === serverId)
    const isFollowed = onServer.some(({ source }) => source.environmentId === environmentId)
    if (isLocal || isFollowed || onServer.length < MOST_OF_SERVER) return undefined
    return tooMany(
      `The logs of ${MOST_OF_SERVER} environments of this server are followed already. Close one of them, or use shipway logs --via ssh`,
    )
  }

  #count(isMeant: (followed: Followed) => boolean): number {
    return [...this.#byKey.values()].filter(isMeant).reduce((sum, { followers }) => sum + followers.size, 0)
  }

  #listen(): () => void {
    return this.#ctx.bus.listen((event) => {
      const { about } = event
      if (about !== 'environment' && about !== 'project' && about !== 'missed') return
      for (const followed of this.#byKey.values()) {
        const { environmentId, projectId } = followed.source
        if (about !== 'missed' && event.id !== (about === 'project' ? projectId : environmentId)) continue
        // Variables are announced as changes of their project or environment.
        followed.output.forgetMask()
        this.#check(followed).catch((error: unknown) =>
          this.#ctx.log.warn({ err: error }, 'whether an environment has moved could not be read'),
        )
      }
    })
  }

  /** Whether the environment is still there, and on that server. */
  async #check({ source, followers }: Followed): Promise<void> {
    const environment = await findEnvironmentAnywhere(this.#ctx.db, source.environmentId)
    for (const [onLeave, { isNamed, serverId }] of [...followers]) {
      if (!environment) onLeave('gone')
      else if (!isNamed && environment.server.id !== serverId) onLeave('moved')
    }
  }
}

const tooMany = (detail: string): TooMany => ({ code: 'too_many_followers', detail })
