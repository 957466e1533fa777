// The contract as one page to read, made from the OpenAPI document: no scripts, nothing loaded from elsewhere.
import type { OpenApiDocument } from './openapi/document.ts'
import { operationsOf } from './openapi/paths.ts'
import { errorsOf } from './openapi/route-errors.ts'
import { WHAT_SCOPE } from './openapi/security.ts'
import { type ErrorCode, PROBLEMS } from './problem.ts'
import { PROBLEM_ADVICE } from './problem-advice.ts'
import { type Endpoint, endpointSection } from './reference/endpoint.ts'
import { withExpandedSchemas } from './reference/expanded-schemas.ts'
import { fieldList } from './reference/fields.ts'
import { type Html, html, prose } from './reference/html.ts'
import { REFERENCE_STYLE } from './reference/style.ts'
import { type Route, SCOPES } from './route.ts'

/** The routes are those of the document: they say for each endpoint which errors it gives. */
export function referencePage(source: OpenApiDocument, routes: Readonly<Record<string, Route>>): string {
  const document = withExpandedSchemas(source)
  const { title, version, description } = document.info
  const endpoints = operationsOf(document).map(({ method, path, operation }): Endpoint => {
    const route = routes[operation.operationId]
    return { method: method.toUpperCase(), path, operation, codes: route ? errorsOf(route) : [] }
  })
  const groups = Map.groupBy(endpoints, ({ operation }) => operation.tags[0] ?? '')
  const usual = usualCodes(endpoints)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} API reference</title>
<style>${{ html: REFERENCE_STYLE }}</style>
</head>
<body>
<a class="skip" href="#endpoints">Skip the contents</a>
<header>
<h1>${title} API reference<small>${version}</small></h1>
<p>${prose(description)}</p>
<p>The same as <a href="/api/openapi.json">OpenAPI 3.1</a>. The examples take a token from <code>$SHIPWAY_TOKEN</code>.</p>
</header>
${contents(groups)}
<main id="endpoints">
${[...groups].map(
  ([tag, members]) => html`<section aria-labelledby="resource-${tag}">
<h2 id="resource-${tag}">${heading(tag)}</h2>
<p>${prose(document.tags.find(({ name }) => name === tag)?.description ?? '')}</p>
${members.map((endpoint) => endpointSection(document, endpoint, usual))}</section>
`,
)}
${shapeSection(document)}
${scopeSection()}
${errorSection()}
</main>
</body>
</html>
`.html
}

/** What half of the endpoints or more can answer is said in a line, so that what is special to one stands out. */
function usualCodes(endpoints: readonly Endpoint[]): ReadonlySet<string> {
  const often = (code: ErrorCode): boolean =>
    endpoints.filter(({ codes }) => codes.includes(code)).length * 2 >= endpoints.length
  return new Set(endpoints.flatMap(({ codes }) => codes).filter(often))
}

function contents(groups: ReadonlyMap<string, readonly Endpoint[]>): Html {
  return html`<nav aria-label="Contents">
<div class="groups">
${[...groups].map(
  ([tag, members]) => html`<section>
<h3><a href="#resource-${tag}">${heading(tag)}</a></h3>
<ul>${members.map(
    ({ method, operation }) =>
      html`<li><code>${method}</code><a href="#${operation.operationId}">${prose(operation.summary)}</a></li>
`,
  )}</ul>
</section>
`,
)}<section>
<h3>For all endpoints</h3>
<ul><li><a href="#shapes">Shapes</a></li><li><a href="#scopes">Scopes</a></li><li><a href="#errors">Errors</a></li></ul>
</section>
</div>
</nav>`
}

const heading = (tag: string): string => {
  const words = tag.replaceAll('-', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

function shapeSection({ components }: OpenApiDocument): Html {
  return html`<section aria-labelledby="shapes">
<h2 id="shapes">Shapes</h2>
${Object.entries(components.schemas).map(
  ([name, schema]) => html`<article id="shape-${name}">
<h3>${name}</h3>
${fieldList(schema, { marksRequired: false })}
</article>
`,
)}</section>`
}

function scopeSection(): Html {
  const rows = SCOPES.map(
    (scope) => html`<div><dt><code>${scope}</code></dt><dd><p>${WHAT_SCOPE[scope]}</p></dd></div>
`,
  )
  return html`<section aria-labelledby="scopes">
<h2 id="scopes">Scopes</h2>
<p>A token does what its scopes name and its user may, and no more.</p>
<dl class="fields">${rows}</dl>
</section>`
}

const ADVICE: Readonly<Record<string, string>> = PROBLEM_ADVICE

/** The `type` of a problem leads to its code here. */
function errorSection(): Html {
  const rows = Object.entries(PROBLEMS).map(
    ([
      code,
      { status, title },
    ]) => html`<div id="${code}"><dt><code>${code}</code></dt><dd><p>${status} ${title}</p><p>${prose(ADVICE[code] ?? '')}</p></dd></div>
`,
  )
  return html`<section aria-labelledby="errors">
<h2 id="errors">Errors</h2>
<p>Every error is <code>application/problem+json</code>. <code>detail</code> says what is wrong and what to do; <code>request_id</code> names the request in the log.</p>
<dl class="fields">${rows}</dl>
</section>`
}
