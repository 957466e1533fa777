// One endpoint on the reference page.
import type { OpenApiDocument, Operation, Parameter, Schema } from '../openapi/document.ts'
import { type ErrorCode, PROBLEMS } from '../problem.ts'
import { curlOf } from './curl.ts'
import { fieldList, fieldRow, typeOf } from './fields.ts'
import { type Html, html, joined, prose } from './html.ts'
import { WHO_MAY } from './who-may.ts'

export type Endpoint = {
  readonly method: string
  readonly path: string
  readonly operation: Operation
  /** Every error that it may give. */
  readonly codes: readonly ErrorCode[]
}

export function endpointSection(document: OpenApiDocument, endpoint: Endpoint, usual: ReadonlySet<string>): Html {
  const { method, path, operation } = endpoint
  return html`<article id="${operation.operationId}" aria-labelledby="${operation.operationId}-title">
<h3 id="${operation.operationId}-title"><a href="#${operation.operationId}"><span class="method">${method}</span> <code>${breakable(path)}</code></a></h3>
<p class="summary">${prose(operation.summary)}</p>
<p>${prose(operation.description)}</p>
${operation.deprecated ? html`<p><strong>Removed.</strong></p>` : undefined}
<p class="who">${whoMay(operation)}</p>
${parameterList(operation.parameters)}
${bodyOf(operation)}
${answerOf(document, operation)}
${errorsOf(endpoint, usual)}
<h4>Example</h4>
<pre tabindex="0"><code>${curlOf(document, endpoint)}</code></pre>
</article>
`
}

function whoMay(operation: Operation): Html {
  const permission = operation['x-permission']
  const scope = operation['x-scope']
  if (permission === 'public') return html`${WHO_MAY[permission]}.`
  if (!operation.security.some((way) => 'bearer' in way)) {
    return html`${WHO_MAY[permission]} to the dashboard. Tokens are refused.`
  }
  const needs = scope === 'none' ? html`no scope` : html`the scope <a href="#scopes"><code>${scope}</code></a>`
  return html`${WHO_MAY[permission]}. A token needs ${needs}.`
}

/** A long path may break after a slash, and nowhere else. */
const breakable = (path: string): Html[] =>
  path.split(/(?<=.\/)/).map((part, index) => (index === 0 ? html`${part}` : html`<wbr>${part}`))

function parameterList(parameters: readonly Parameter[]): Html | undefined {
  if (parameters.length === 0) return undefined
  return html`<h4>Parameters</h4>
<dl class="fields">${parameters.map(({ name, in: place, required, description, schema }) =>
    fieldRow({ path: name, schema, isRequired: required === true, description, place }),
  )}</dl>`
}

function bodyOf({ requestBody }: Operation): Html | undefined {
  const schema = requestBody?.content['application/json']?.schema
  if (!requestBody || !schema) return undefined
  return html`<h4>Body${requestBody.required ? undefined : ' (may be left out)'}</h4>
${fieldList(schema, { marksRequired: true })}`
}

function answerOf(document: OpenApiDocument, { responses }: Operation): Html | undefined {
  const [status, answer] = Object.entries(responses).find(([code]) => Number(code) < 300) ?? []
  if (status === undefined || answer === undefined || '$ref' in answer) return undefined
  const [type, content] = Object.entries(answer.content ?? {})[0] ?? []
  const headers = Object.keys(answer.headers ?? {}).map((name) => html`<code>${name}</code>`)
  return html`<h4>Answer</h4>
<p><strong>${status}</strong> ${
    content
      ? type === 'application/json'
        ? typeOf(content.schema)
        : html`<code>${type ?? ''}</code>`
      : 'without a body'
  }.${headers.length === 0 ? undefined : html` Headers: ${joined(headers, ', ')}.`}</p>
${content && type === 'application/json' ? answerFields(document, content.schema) : undefined}`
}

/** A shape with a name is described once, under its name; here its fields are named, so that one sees what comes. */
function answerFields(document: OpenApiDocument, schema: Schema): Html | undefined {
  const shape = schema.items ?? schema
  if (shape.$ref === undefined) return shape.properties && fieldList(shape, { marksRequired: false })
  const fields = Object.keys(document.components.schemas[shape.$ref.split('/').at(-1) ?? '']?.properties ?? {})
  return html`<p class="names">${joined(
    fields.map((name) => html`<code>${name}</code>`),
    ' ',
  )}</p>`
}

function errorsOf({ codes }: Endpoint, usual: ReadonlySet<string>): Html {
  const special = codes.filter((code) => !usual.has(code))
  const rest = codes.filter((code) => usual.has(code)).map((code) => html`<a href="#${code}"><code>${code}</code></a>`)
  return html`<h4>Errors</h4>
${special.length === 0 ? undefined : html`<dl class="fields">${special.map(errorRow)}</dl>`}
${rest.length === 0 ? undefined : html`<p class="names">As on most endpoints: ${joined(rest, ' ')}</p>`}`
}

function errorRow(code: ErrorCode): Html {
  const { status, title } = PROBLEMS[code]
  return html`<div><dt><a href="#${code}"><code>${code}</code></a></dt><dd><p>${status} ${title}</p></dd></div>
`
}
