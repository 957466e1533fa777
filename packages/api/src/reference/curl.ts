// An endpoint as a line for the shell.
import type { OpenApiDocument, Operation } from '../openapi/document.ts'
import { exampleOf } from './examples.ts'

type Endpoint = { readonly method: string; readonly path: string; readonly operation: Operation }

export function curlOf(document: OpenApiDocument, { method, path, operation }: Endpoint): string {
  const shapes = document.components.schemas
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const schema = operation.parameters.find((parameter) => parameter.name === name)?.schema ?? {}
    return encodeURIComponent(String(exampleOf(schema, shapes, name)))
  })
  const schema = operation.requestBody?.content['application/json']?.schema
  const words = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(`${document.servers[0]?.url ?? ''}${address}`)}`,
    ...credentialOf(document, operation),
    ...(schema
      ? ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(exampleOf(schema, shapes)))}`]
      : []),
  ]
  return words.join(' \\\n  ')
}

function credentialOf({ components, servers }: OpenApiDocument, { security }: Operation): readonly string[] {
  if (security.some((way) => 'bearer' in way)) return ['-H "Authorization: Bearer $SHIPWAY_TOKEN"']
  if (security.length === 0) return []
  const origin = new URL(servers[0]?.url ?? '').origin
  return [`-b "${components.securitySchemes.session?.name}=$SHIPWAY_SESSION"`, `-H ${quoted(`Origin: ${origin}`)}`]
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
