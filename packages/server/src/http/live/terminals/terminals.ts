// All terminals that this process carries: how many, and that none outlives the process.
import { randomUUID } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { TooManyTerminals } from '../../../domain/errors.ts'
import type { RunTerminal } from '../../../domain/run-terminal.ts'
import { endTerminalsLease, renewTerminalsLease } from '../../../operations/runs/keep-terminals-lease.ts'

/** In one process. */
const MOST_TERMINALS = 64
const MOST_OF_ORGANIZATION = 16
const MOST_OF_USER = 4
/** Well within the lease. */
const RENEW_MS = 10_000

type Owner = { readonly userId: number; readonly organizationId: number }

export class Terminals {
  readonly #ctx: Pick<Context, 'db' | 'log'>
  /** By their connections. */
  readonly #open = new Map<object, Owner>()
  readonly #ending = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  /** Containers have it as a label. */
  readonly processId = randomUUID()

  constructor(ctx: Pick<Context, 'db' | 'log'>) {
    this.#ctx = ctx
  }

  get size(): number {
    return this.#open.size
  }

  /** Throws where there is no room. It counts until its command has ended, also where its client has left. */
  admit(connection: object, owner: Owner): void {
    const countOf = (isCounted: (other: Owner) => boolean): number => [...this.#open.values()].filter(isCounted).length
    if (countOf(({ userId }) => userId === owner.userId) >= MOST_OF_USER)
      throw TooManyTerminals(MOST_OF_USER, 'You have')
    if (countOf(({ organizationId }) => organizationId === owner.organizationId) >= MOST_OF_ORGANIZATION)
      throw TooManyTerminals(MOST_OF_ORGANIZATION, 'Your organization has')
    if (this.#open.size >= MOST_TERMINALS) throw TooManyTerminals(MOST_TERMINALS, 'The platform has')
    this.#open.set(connection, owner)
  }

  /** Nothing runs for it any more. */
  leave(connection: object): void {
    this.#open.delete(connection)
  }

  /** Before the first container is made. From then on the lease is renewed as long as the process lives. */
  async holdLease(): Promise<void> {
    const renewed = renewTerminalsLease(this.#ctx, this.processId)
    this.#track(renewed.then(ignore, ignore))
    await renewed
    this.#timer ??= setInterval(() => {
      renewTerminalsLease(this.#ctx, this.processId).catch((error: unknown) =>
        this.#ctx.log.warn({ err: error }, 'the lease of open terminals could not be renewed'),
      )
    }, RENEW_MS)
  }

  /** A terminal that is being opened is ended when it is open. */
  opening(connection: object, work: Promise<RunTerminal>): Promise<RunTerminal> {
    this.#track(work.then(ignore, () => this.leave(connection)))
    return work
  }

  end(connection: object, terminal: RunTerminal): void {
    const onFault = (error: unknown): void =>
      this.#ctx.log.error({ err: error }, 'the container of a command could not be removed')
    const ended = terminal.end().catch(onFault)
    this.#track(ended.then(() => this.leave(connection)))
  }

  /** Once all connections are closed. */
  async close(): Promise<void> {
    while (this.#ending.size > 0) await Promise.all(this.#ending)
    if (!this.#timer) return
    clearInterval(this.#timer)
    await endTerminalsLease(this.#ctx, this.processId)
  }

  #track(work: Promise<void>): void {
    this.#ending.add(work)
    void work.finally(() => this.#ending.delete(work))
  }
}

/** The caller handles it. */
const ignore = (): void => undefined
