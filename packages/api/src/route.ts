// A route as data: what the server binds, the client calls, and the reference page describes.
import type { z } from 'zod'
import type { ErrorCode } from './problem.ts'

/** Who may call a route. `public` and `signed_in` need no organization; the others are rows of the permission table. */
export type Permission =
  | 'public'
  | 'signed_in'
  | 'read'
  | 'deploy'
  | 'certificate'
  | 'administer'
  | 'manage_members'
  | 'own_organization'
  | 'own_project'
  | 'choose_recipe'
  | 'allow_manual_recipe'
  | 'platform_admin'

export const SCOPES = ['read', 'deploy', 'vars:write', 'ssh', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `{name}` marks a parameter. */
  readonly path: string
  readonly summary: string
  /** What the summary leaves out: limits, side effects, what the answer means. */
  readonly description: string
  readonly permission: Permission
  /** The scope that a token needs; `none` only if the route is public, describes the caller itself, or accepts no token. */
  readonly scope: Scope | 'none'
  /** Only for a session of the dashboard: tokens of any kind are refused, whatever their scopes. */
  readonly sessionOnly?: true
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** The one status of success, and the shape that leaves with it; fields that it does not name stay behind. */
  readonly success: 101 | 200 | 201 | 202 | 204
  readonly answer?: z.ZodType
  /** Media type of an answer that is not JSON. */
  readonly answerType?: 'text/plain' | 'text/event-stream' | 'application/octet-stream' | 'text/html'
  /** The route answers with 202 and the same shape where what it took on is not done yet. */
  readonly mayBeLater?: true
  /** The route takes `Range`, and then answers with 206. */
  readonly ranged?: true
  /** Codes a caller may meet here beside those that every route can give. */
  readonly errors?: readonly ErrorCode[]
  /** The route takes an `Idempotency-Key`. */
  readonly idempotent?: true
  /** The answer carries an `ETag`, and a change takes `If-Match`. */
  readonly versioned?: true
  /** The body is taken as raw bytes of any content type; the signature identifies the sender. */
  readonly rawBody?: true
  /** The body is a file of any content type: the handler reads it while it arrives. */
  readonly streamedBody?: true
  /** Counted against the narrow limit for guessing, not the wide one for use. */
  readonly guarded?: true
}

/** Keeps the literal types of a route; a route without permission or scope does not compile. */
export const route = <const R extends Route>(definition: R): R => definition

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined
type Raw<S> = S extends z.ZodType ? z.input<S> : undefined
type Field<R, K extends string> = R extends { readonly [key in K]: infer S } ? S : undefined

/** What a handler is given. */
export type RouteInput<R extends Route> = {
  readonly params: Parsed<Field<R, 'params'>>
  readonly query: Parsed<Field<R, 'query'>>
  readonly body: Parsed<Field<R, 'body'>>
}

/**
 * What a caller of the typed client gives: in the address what the server reads out of it (an id is a number), in the body
 * what the server takes, defaults left out. A part that may be left out as a whole is optional.
 */
export type RouteRequest<R extends Route> = MayOmit<{
  readonly [K in 'params' | 'query' | 'body' as Field<R, K> extends z.ZodType ? K : never]: K extends 'body'
    ? Raw<Field<R, K>>
    : Parsed<Field<R, K>>
}>

/** Keys whose value may be undefined, or an object with nothing required, become optional. */
type MayOmit<T> = { readonly [K in keyof T as IsOmittable<T[K]> extends true ? never : K]: T[K] } & {
  readonly [K in keyof T as IsOmittable<T[K]> extends true ? K : never]?: T[K] | undefined
}
type IsOmittable<V> = undefined extends V ? true : Record<never, never> extends V ? true : false

/** What a handler returns, before the fields that the schema does not name are left behind. */
export type RouteAnswer<R extends Route> = Raw<Field<R, 'answer'>>

/** What a caller receives. */
export type RouteResult<R extends Route> = Parsed<Field<R, 'answer'>>
