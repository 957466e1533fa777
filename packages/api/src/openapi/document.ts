// The part of OpenAPI 3.1 that our document is made of, as types.
import type { ErrorCode } from '../problem.ts'
import type { Permission, Scope } from '../route.ts'

export type OpenApiDocument = {
  readonly openapi: '3.1.0'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description: string
    readonly contact: { readonly name: string; readonly url: string }
    readonly license: { readonly name: string; readonly identifier: string }
  }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  /** How operations are called that say nothing else. */
  readonly security: Security
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly responses: Readonly<Record<string, Answer>>
    readonly headers: Readonly<Record<string, Header>>
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  }
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The operations of an address, and the parameters that all of them take. */
export type PathItem = { readonly [M in Method]?: PathOperation } & {
  readonly parameters?: readonly (Parameter | Reference)[]
}

/** An operation as it stands in the document: without what its path or the whole document says for it. */
export type PathOperation = Omit<Operation, 'security' | 'parameters'> & {
  readonly security?: Security
  readonly parameters?: readonly (Parameter | Reference)[]
}

/** An operation with everything that it takes. */
export type Operation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly deprecated?: true
  readonly security: Security
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Answer | Reference>>
  readonly 'x-permission': Permission
  readonly 'x-scope': Scope | 'none'
  /** The codes that are special to it, by status. */
  readonly 'x-errors'?: Readonly<Record<string, readonly ErrorCode[]>>
}

export type Security = readonly Readonly<Record<string, readonly string[]>>[]
export type Reference = { readonly $ref: string }

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: true
  readonly description?: string
  readonly schema: Schema
}

export type Answer = {
  readonly description: string
  readonly headers?: Readonly<Record<string, Reference>>
  readonly content?: Content
}

export type Content = Readonly<Record<string, { readonly schema: Schema }>>
export type Header = { readonly description: string; readonly schema: Schema }

/** A rule that JSON Schema has no word for, with the code of the fault that breaking it gives. */
export type SchemaRule = { readonly code: string; readonly detail: string }

/** JSON Schema, draft 2020-12, as far as the schemas of the contract reach. */
export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly propertyNames?: Schema
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly 'x-rules'?: readonly SchemaRule[]
}
