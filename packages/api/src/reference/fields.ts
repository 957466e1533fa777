// The fields of a schema as rows: the name, the type, whether it is required, its default and its rules.
import type { Schema } from '../openapi/document.ts'
import { type Html, html, joined, prose } from './html.ts'

/** Every field, those of nested objects by their path: `basic_auth.username`, `steps[].name`. */
export function fieldList(schema: Schema, { marksRequired }: { marksRequired: boolean }): Html {
  const rows = rowsOf(schema, '')
  if (rows.length === 0) return html`<p>${typeOf(schema)}</p>`
  return html`<dl class="fields">${rows.map((row) => fieldRow(marksRequired ? row : { ...row, isRequired: false }))}</dl>`
}

type Row = {
  readonly path: string
  readonly schema: Schema
  readonly isRequired: boolean
  readonly description?: string | undefined
  /** Where a parameter stands. */
  readonly place?: string
}

export function fieldRow({ path, schema, isRequired, description = schema.description, place }: Row): Html {
  const rules = [...rulesOf(schema), ...rulesOf(itemsOf(schema)).map((rule) => `Each: ${rule}`)]
  return html`<div><dt><code>${path}</code></dt><dd><p>${typeOf(schema)}${[
    ...(place === undefined ? [] : [html` <span class="note">in the ${place}</span>`]),
    ...(isRequired ? [html` <strong>required</strong>`] : []),
    ...(schema.default === undefined ? [] : [html` <span class="note">default ${value(schema.default)}</span>`]),
  ]}</p>${description === undefined ? undefined : html`<p>${prose(description)}</p>`}${
    rules.length === 0 ? undefined : html`<ul>${rules.map((rule) => html`<li>${prose(rule)}</li>`)}</ul>`
  }</dd></div>
`
}

/** A type in words, with links to the shapes that have a name. */
export function typeOf(schema: Schema): Html {
  if (schema.$ref !== undefined) return shapeLink(schema.$ref)
  if (schema.anyOf) return html`${joined(schema.anyOf.map(typeOf), ' or ')}`
  if (schema.enum) return html`${joined(schema.enum.map(value), ' or ')}`
  if (schema.const !== undefined) return value(schema.const)
  if (schema.type === 'array') return html`list of ${typeOf(schema.items ?? {})}`
  if (schema.type === 'object' && !schema.properties && typeof schema.additionalProperties === 'object') {
    return html`object of ${typeOf(schema.additionalProperties)} by key`
  }
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['any value'])
  const named = types.map((type) => (type === 'string' && schema.format === 'date-time' ? 'time' : type))
  return html`${named.join(' or ')}`
}

const shapeLink = (reference: string): Html => {
  const name = reference.slice(reference.lastIndexOf('/') + 1)
  return html`<a href="#shape-${name}">${name}</a>`
}

function rowsOf(schema: Schema, base: string): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = base === '' ? name : `${base}.${name}`
    return [{ path, schema: field, isRequired: schema.required?.includes(name) === true }, ...nestedRows(field, path)]
  })
}

function nestedRows(field: Schema, path: string): Row[] {
  const inner = field.anyOf?.find((branch) => branch.properties || branch.items) ?? field
  return inner.items ? nestedRows(inner.items, `${path}[]`) : rowsOf(inner, path)
}

const itemsOf = (schema: Schema): Schema =>
  schema.items ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {})

/** What a value must keep to, beyond its type. */
function rulesOf(schema: Schema): string[] {
  return [...boundsOf(schema), ...(schema['x-rules'] ?? []).map(({ detail }) => detail)]
}

/** A lone bound of 1 goes without saying for an id. */
function boundsOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema
  return [
    ...(maximum === undefined ? [] : [`From ${minimum ?? 'any number'} to ${maximum}`]),
    ...(maxLength === undefined ? [] : [`${minLength ?? 0} to ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`${minItems ?? 0} to ${maxItems} entries`]),
    ...(pattern === undefined || schema['x-rules'] ? [] : [`Written as \`${pattern}\``]),
  ]
}

const value = (literal: unknown): Html => html`<code>${JSON.stringify(literal)}</code>`
