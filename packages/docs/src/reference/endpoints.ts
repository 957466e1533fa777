// Every endpoint of the API in one list. Fields, examples and errors of each are in the API reference of the platform.
import { routes } from '@shipway/api'
import { openApiOf } from '@shipway/api/openapi'
import { operationsOf } from '@shipway/api/openapi/paths'
import { WHO_MAY } from '@shipway/api/reference/who-may'
import type { Route } from '@shipway/api/route'
import { code, plain, table } from './markdown.ts'

export function endpointSections(): string {
  const document = openApiOf(routes, { baseUrl: 'https://ship.example.com', version: '' })
  const groups = Map.groupBy(operationsOf(document), ({ operation }) => operation.tags[0] ?? '')
  const all: Readonly<Record<string, Route>> = routes
  const sections = [...groups].map(([tag, members]) => {
    const rows = members.map(({ method, path, operation: { operationId, summary } }) => {
      const route = all[operationId]
      const who = route ? plain(WHO_MAY[route.permission]) : ''
      const scope = route === undefined || route.scope === 'none' ? '' : code(route.scope)
      return [code(`${method.toUpperCase()} ${path}`), `[${plain(summary)}](/api/reference#${operationId})`, who, scope]
    })
    const about = document.tags.find(({ name }) => name === tag)?.description ?? ''
    return [`## ${titleOf(tag)}`, `${plain(about)}.`, table(['endpoint', 'does', 'who may', 'scope'], rows)].join(
      '\n\n',
    )
  })
  return sections.join('\n\n')
}

const titleOf = (tag: string): string => {
  const words = tag.replaceAll('-', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
