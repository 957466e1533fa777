// Values for the examples of the reference, made from a schema and the name of the field. A test compares them with the contract.
import type { Schema } from '../openapi/document.ts'

type Shapes = Readonly<Record<string, Schema>>

/** An object has its required fields, or the first one where none is required. */
export function exampleOf(schema: Schema, shapes: Shapes, name = ''): unknown {
  if (schema.$ref !== undefined) return exampleOf(shapes[schema.$ref.split('/').at(-1) ?? ''] ?? {}, shapes, name)
  if (schema.anyOf) return exampleOf(schema.anyOf[0] ?? {}, shapes, name)
  if (schema.enum) return schema.enum[0]
  // The other type is null.
  switch ([schema.type].flat()[0]) {
    case 'object':
      return schema.properties ? objectExample(schema, shapes) : mapExample(schema, shapes)
    case 'array':
      return [exampleOf(schema.items ?? {}, shapes, name)]
    case 'integer':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    default:
      return TEXTS[name] ?? 'example'
  }
}

function objectExample({ properties = {}, required }: Schema, shapes: Shapes): Record<string, unknown> {
  const names = required && required.length > 0 ? required : Object.keys(properties).slice(0, 1)
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name] ?? {}, shapes, name)]))
}

/** Of any names. */
function mapExample({ additionalProperties: values }: Schema, shapes: Shapes): Record<string, unknown> {
  return { KEY: typeof values === 'object' ? exampleOf(values, shapes, 'value') : 'value' }
}

/** Texts that a rule would refuse to be just any word. */
const TEXTS: Readonly<Record<string, string>> = {
  commit: '0123456789abcdef0123456789abcdef01234567',
  commit_sha: '0123456789abcdef0123456789abcdef01234567',
  commits: '0123456789abcdef0123456789abcdef01234567',
  domain: 'app.example.com',
  email: 'name@example.com',
  hostname: 'server-1.example.com',
  branch: 'main',
  user_code: 'BCDF-GHJK',
  repo_url: 'git@git.example.com:acme/app.git',
  until: '2026-01-31T12:00:00Z',
  url: 'https://hooks.example.com/shipway',
  public_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHuHduYzmtwy8kzw+sF1hzdNmCIfNUotgkYmYj7KEwhu',
}
