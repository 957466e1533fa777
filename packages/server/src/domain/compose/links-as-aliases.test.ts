import type { JsonObject } from '@shipway/rules/compose/model'
import { expect, test } from 'vitest'
import { modelOf } from '../../../../rules/test/compose.ts'
import { withoutLinks } from './links-as-aliases.ts'

const definitions = (services: Readonly<Record<string, JsonObject>>) =>
  Object.fromEntries([...withoutLinks(modelOf(services))].map(([name, { definition }]) => [name, definition]))

test('a link is a further name of the linked service, in the networks that both are in', () => {
  const web = { links: ['db:database', 'db'], networks: { back: null, front: null } }
  const db = { networks: { back: { aliases: ['memory'] }, other: null } }
  const own = definitions({ web, db })
  expect(own.web).not.toHaveProperty('links')
  expect(own.web?.networks).toEqual(web.networks)
  expect(own.db?.networks).toEqual({ back: { aliases: ['memory', 'database'] }, other: null })
})

test('a name that is another service stays a link', () => {
  const own = definitions({ web: { links: ['db:api', 'db'], networks: { back: null } }, api: {}, db: {} })
  expect(own.web).toMatchObject({ links: ['db:api'], networks: { back: null } })
})
