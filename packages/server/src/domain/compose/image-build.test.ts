// What Compose itself makes of a build, and the order of builds that need each other.

import type { ComposeModel } from '@shipway/rules/compose/model'
import { readComposeModel } from '@shipway/rules/compose/read-compose-model'
import { expect, test } from 'vitest'
import { hasCompose, modelOf, resolve } from '../../../../rules/test/compose.ts'
import { buildRounds, imageBuild } from './image-build.ts'

const buildsOf = (model: ComposeModel) => [...model.services.values()].map((service) => imageBuild(model, service))

test.skipIf(!hasCompose)('every way to write a build comes to the same form', async () => {
  const file = {
    services: {
      short: { build: '.' },
      long: {
        build: {
          context: 'sub',
          args: ['A=a$$b', 'N=1'],
          labels: ['x=y'],
          extra_hosts: ['a:1.2.3.4'],
          shm_size: '64m',
          ulimits: { nofile: 5 },
          secrets: ['token', { source: 'file', target: 'f' }],
        },
      },
      inline: { build: { dockerfile_inline: 'FROM x\nRUN echo $$HOME' } },
    },
    secrets: { token: { environment: 'TOKEN' }, file: { file: './secret' } },
  }
  const found = await resolve({ 'compose.yml': file, 'v.env': "TOKEN='s3cret'\n" }, { envFile: 'v.env' })
  expect(found.refused).toBeNull()
  const byName = Object.fromEntries(buildsOf(readComposeModel(found.text)).map((build) => [build.service, build]))
  expect(byName).toMatchObject({
    short: { context: found.checkout, dockerfile: 'Dockerfile' },
    long: {
      context: `${found.checkout}/sub`,
      args: { A: 'a$b', N: '1' },
      labels: { x: 'y' },
      ulimits: { nofile: 5 },
      extra_hosts: ['a=1.2.3.4'],
      shm_size: '67108864',
      secrets: [
        { id: 'token', variable: 'TOKEN' },
        { id: 'f', file: `${found.checkout}/secret` },
      ],
    },
    inline: { dockerfile_inline: 'FROM x\nRUN echo $HOME' },
  })
})

const needing = (needs: Readonly<Record<string, readonly string[]>>) => {
  const services = Object.entries(needs).map(([name, names]) => {
    const contexts = Object.fromEntries(names.map((other) => [other, `service:${other}`]))
    return [name, { build: { context: '/c', additional_contexts: contexts } }]
  })
  return buildsOf(modelOf(Object.fromEntries(services)))
}
const namesOf = (rounds: ReturnType<typeof buildRounds>) => rounds.map((round) => round.map(({ service }) => service))

test('an image that is built from those of other services comes after them', () => {
  const builds = needing({ app: ['base', 'tools'], base: [], tools: ['base'], other: ['absent'] })
  expect(namesOf(buildRounds(builds))).toEqual([['base', 'other'], ['tools'], ['app']])
})

test('images that are built from each other are refused', () => {
  expect(() => buildRounds(needing({ a: ['b'], b: ['a'], c: [] }))).toThrow(
    'The images of a, b are built from each other',
  )
})
