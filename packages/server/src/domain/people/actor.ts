// Who makes a call, and what it may reach: already narrowed by the token and the organization header.
import type { Role } from '@shipway/api/people'
import type { Scope } from '@shipway/api/route'

export type Credential =
  | { readonly kind: 'session'; readonly id: number; readonly expiresAt: number }
  | {
      readonly kind: 'personal'
      readonly id: number
      readonly expiresAt: number
      /** The one organization that the token is bound to. */
      readonly organizationId: number | null
    }
  | { readonly kind: 'oauth'; readonly grant: string; readonly expiresAt: number }

/** Where a call came from; the audit log keeps it. */
export type Origin = { readonly address: string; readonly requestId: string }

export type Actor = {
  readonly userId: number
  readonly name: string
  readonly isPlatformAdmin: boolean
  readonly roles: ReadonlyMap<number, Role>
  /** Organizations that are hidden until the user turns on two-factor codes, which they require. Never among the roles. */
  readonly locked?: ReadonlySet<number>
  /** The platform requires two-factor codes, which the user lacks. */
  readonly isLockedOut?: boolean
  readonly scopes: ReadonlySet<Scope>
  readonly credential: Credential
  /** Which of our programs asks, where it is one. */
  readonly program?: 'cli' | 'mcp' | undefined
  readonly origin: Origin
}

/** What reading needs of an actor: the organizations whose records it may see. */
export type Viewer = Pick<Actor, 'roles'>

/** An actor without a user: an event of the git host, or the platform itself. */
export type Automatic = {
  readonly userId: null
  /** For the audit log. */
  readonly name: string
  readonly origin: Origin
}

/** The platform itself. */
export const PLATFORM: Automatic = { userId: null, name: 'Shipway', origin: { address: '', requestId: '' } }

/** Who made a change, for the audit log; without a name if no user is signed in. */
export type ChangedBy = { readonly userId: number | null; readonly name: string | null; readonly origin: Origin }

export const anonymous = (origin: Origin): ChangedBy => ({ userId: null, name: null, origin })

export const isAutomatic = (by: Actor | Automatic): by is Automatic => by.userId === null

/** For `in (…)`, which may not be empty: 0 is no organization's id. */
export const organizationsOf = (actor: Viewer): readonly number[] =>
  actor.roles.size > 0 ? [...actor.roles.keys()] : [0]

/** The organization that the caller's token cannot leave; null for a session and for a token that reaches them all. */
export const boundOrganization = ({ credential }: Actor): number | null =>
  credential.kind === 'personal' ? credential.organizationId : null

/** Names the session, token or grant that a call came with. */
export const credentialKey = ({ credential }: Actor): string =>
  `${credential.kind}:${credential.kind === 'oauth' ? credential.grant : credential.id}`
