// The sign-in of a connection that stays open. It is checked again whenever the user's sign-ins or roles change, one check after the other.
import type { Actor } from '../../domain/people/actor.ts'
import type { CallerRequest, SignIn } from '../authenticate.ts'

/** Authenticates a connection against the current records. `userId` is its user so far. */
export type SignInAgain = (asking: CallerRequest, userId: number | undefined) => Promise<SignIn | undefined>

type Checking = {
  readonly signIn: SignInAgain
  /** From now on nothing may be sent. */
  onBegin(): void
  onActor(actor: Actor | undefined): void | Promise<void>
  /** No check is running any more. */
  onChecksFinished(): void
  onFault(error: unknown): void
}

type FirstMessage = { readonly token: string; readonly organization_id?: number | undefined }

export class CheckedSignIn {
  readonly #checking: Checking
  #asking: CallerRequest
  #found: SignIn | undefined
  #checked: Promise<void> = Promise.resolve()
  #checks = 0
  #nextCheck: Promise<void> | undefined

  constructor(asking: CallerRequest, checking: Checking) {
    this.#asking = asking
    this.#checking = checking
  }

  get actor(): Actor | undefined {
    return this.#found?.actor
  }

  /** When it has to be checked again at the latest. */
  get until(): number {
    return this.#found?.until ?? Number.POSITIVE_INFINITY
  }

  check(): Promise<void> {
    // A check that has not started yet sees this change too.
    if (this.#nextCheck) return this.#nextCheck
    this.#checks++
    this.#checking.onBegin()
    this.#nextCheck = this.#checked.then(async () => {
      this.#nextCheck = undefined
      try {
        this.#found = await this.#checking.signIn(this.#asking, this.actor?.userId)
        await this.#checking.onActor(this.actor)
      } catch (error) {
        this.#checking.onFault(error)
      }
      if (--this.#checks === 0) this.#checking.onChecksFinished()
    })
    this.#checked = this.#nextCheck
    return this.#checked
  }

  async checksFinished(): Promise<void> {
    while (this.#checks > 0) await this.#checked
  }

  /** By the first message of a client that cannot send a header. Whether it is signed in now. */
  async authenticate({ token, organization_id: organizationId }: FirstMessage): Promise<boolean> {
    const { ip, id, method } = this.#asking
    const organization = organizationId === undefined ? {} : { 'x-service-organization': String(organizationId) }
    this.#asking = { ip, id, method, headers: { authorization: `Bearer ${token}`, ...organization } }
    await this.check()
    // This connection got no notice of a change during the first check. From now on it gets every one.
    if (this.actor) await this.check()
    return this.actor !== undefined
  }
}
