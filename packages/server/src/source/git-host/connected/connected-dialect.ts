// What the platform needs from the API of a git host that an organization has connected: repositories, deploy keys, webhooks.
import type { HostCall } from '../api-dialect.ts'

type HostAccount = { readonly id: string; readonly name: string }

export type FoundRepository = {
  /** The git host's own, as in its webhooks: a name can pass to another repository. */
  readonly id: string
  /** `owner/name`, or more levels if the host has groups. */
  readonly fullName: string
  /** Null if it is empty, or if the host does not say it here. */
  readonly defaultBranch: string | null
  readonly isPrivate: boolean
  /** Its page. */
  readonly url: string
  /** Null if the host offers none. */
  readonly sshAddress: string | null
}

type FoundKey = {
  readonly id: string
  /** Type and bytes, with or without a comment. */
  readonly publicKey: string
  readonly isReadOnly: boolean
}

/** `isHealthy`: the git host sends every event that the platform needs. */
type FoundWebhook = { readonly id: string; readonly url: string; readonly isHealthy: boolean }

export type WantedWebhook = { readonly url: string; readonly secret: string }

/** Start of a page in a list: the git host counts pages or entries. */
export type PageStart = number

type Search = { readonly text: string; readonly start: PageStart; readonly accountId: string; readonly baseUrl: string }

/** Functions that read throw if the answer has another shape. Repositories are given by their full names. */
export type ConnectedDialect = {
  /** Without a slash at its end. */
  apiOf(baseUrl: string): string
  authorization(token: string): Readonly<Record<string, string>>
  /** Undefined if the host has no such call: listing repositories proves the token then. */
  readonly whoAmI?: { readonly call: HostCall; read(answer: unknown): HostAccount }
  /** Whether tokens that belong to no user are refused by `whoAmI`, although they are good. */
  readonly hasTokensWithoutUser: boolean
  readonly firstPage: PageStart
  /** Undefined after the last page. */
  nextPage(answer: unknown, page: { readonly start: PageStart; readonly length: number }): PageStart | undefined
  /** Whether `search` needs the id of the account. */
  readonly searchesByAccount?: true
  /** Repositories whose settings the token may change. */
  search(search: Search): HostCall
  readSearch(answer: unknown): readonly FoundRepository[]
  getRepository(name: string): HostCall
  readRepository(answer: unknown): FoundRepository
  /** For hosts that do not say it with the repository; answered with 404 while it is empty. */
  readonly defaultBranch?: { get(name: string): HostCall; read(answer: unknown): string }
  readonly keys: {
    list(name: string, start: PageStart): HostCall
    read(answer: unknown): readonly FoundKey[]
    add(name: string, key: { readonly title: string; readonly publicKey: string }): HostCall
    remove(name: string, id: string): HostCall
  }
  readonly webhooks: {
    list(name: string, start: PageStart): HostCall
    read(answer: unknown): readonly FoundWebhook[]
    add(name: string, webhook: WantedWebhook): HostCall
    /** Undefined if a change would not make the host send events again: it is removed, and another one is added. */
    update?(name: string, id: string, webhook: WantedWebhook): HostCall
    remove(name: string, id: string): HostCall
  }
}

/** The one name of our keys and webhooks in the lists of a git host. */
export const OUR_NAME = 'Shipway'
