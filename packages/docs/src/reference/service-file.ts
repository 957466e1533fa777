// Every key of `.service.yml`, from the schema that editors use.
import { type SchemaNode, serviceSchema } from '@shipway/rules/service-file/service-schema'
import { code, plain, table } from './markdown.ts'

export function keySections(): string {
  const { properties = {} } = serviceSchema()
  return Object.entries(properties)
    .map(([name, node]) => {
      const form = node.type === 'object' && node.properties ? node : formOf(node)
      const rows = rowsOf(form, form === formOf(node) && !node.properties && node.additionalProperties ? `{name}` : '')
      return [`## \`${name}\``, `${plain(node.description ?? '')}.`, table(['key', 'example', 'meaning'], rows)].join(
        '\n\n',
      )
    })
    .join('\n\n')
}

/** The section with keys among the forms of a value: an entry of a map, an item of a list, one of several forms. */
function formOf(node: SchemaNode): SchemaNode {
  if (node.properties) return node
  const inner = [node.additionalProperties, node.items, node.else, ...(node.oneOf ?? [])]
  for (const one of inner) {
    if (!one) continue
    const form = formOf(one)
    if (form.properties) return form
  }
  return node
}

function rowsOf({ properties = {}, required = [] }: SchemaNode, prefix: string): string[][] {
  return Object.entries(properties).flatMap(([key, node]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`
    const form = formOf(node)
    const meaning = `${plain(node.description ?? '')}${required.includes(key) ? '. Required' : ''}`
    const row = [code(name), exampleOf(node), meaning]
    return [row, ...(form.properties ? rowsOf(form, name) : [])]
  })
}

function exampleOf(node: SchemaNode): string {
  const [example] =
    node.examples ?? node.items?.examples ?? node.oneOf?.find(({ examples }) => examples)?.examples ?? []
  return example === undefined ? '' : code(typeof example === 'string' ? quoted(example) : JSON.stringify(example))
}

/** As YAML writes it. */
const quoted = (text: string): string => (/^[{*]|^\d+ /.test(text) ? `"${text}"` : text)
