import { expect, test } from 'vitest'
import { hasCompose, resolve } from '../../../test/compose.ts'
import { checkComposeSource } from './check-compose-source.ts'

const ofService = (service: object): object => ({ services: { web: service } })
const source = { file: 'deploy/compose.yml', folder: 'deploy' }

test.each([
  [{ include: ['oci://a.test/b'] }, 'include[0]', 'leads to another machine'],
  [{ include: ['git@a.test:b.git'] }, 'include[0]', 'leads to another machine'],
  [{ include: ['https://a.test/b'] }, 'include[0]', 'leads to another machine'],
  [{ include: [{ path: ['a.yml', '../../b.yml'] }] }, 'include[0]', 'leads out of the checkout'],
  [
    { include: [{ path: 'a.yml', env_file: 'a', project_directory: '/srv' }] },
    'include[0].project_directory',
    'leads out',
  ],
  [{ include: [{ path: 'a.yml', env_file: '/srv/.env' }] }, 'include[0].env_file', 'leads out'],
  [{ include: '${A}' }, 'include[0]', 'holds a variable'],
  [{ include: ['b.yml', { path: 'a.yml', Env_File: '/srv/.env' }] }, 'include[1].Env_File', 'is not a key of include'],
  [{ include: [{ path: 'a.yml', Project_Directory: '/' }] }, 'include[0].Project_Directory', 'is not a key of include'],
  [{ include: [{ path: 'a.yml', PATH: '/srv/a.yml' }] }, 'include[0].PATH', 'is not a key of include'],
  [ofService({ extends: { file: '/srv/x.yml', service: 'a' } }), 'services.web.extends.file', 'leads out'],
  [ofService({ extends: { file: '../../x.yml', service: 'a' } }), 'services.web.extends.file', 'leads out'],
  [ofService({ env_file: '/srv/env-8/.env' }), 'services.web.env_file', 'leads out'],
  [ofService({ env_file: ['a', { path: '~/.env' }] }), 'services.web.env_file[1]', 'leads out'],
  [ofService({ env_file: 'link/.env' }), 'services.web.env_file', 'passes a symbolic link'],
  [ofService({ env_file: [7] }), 'services.web.env_file[0]', 'is not a path'],
  [ofService({ label_file: ['../../a'] }), 'services.web.label_file[0]', 'leads out'],
  ['services: {}', 'deploy/compose.yml', 'is not a mapping'],
  [[1], 'deploy/compose.yml', 'is not a mapping'],
])('%j is refused at %s because it %s', (document, key, reason) => {
  const { refusals } = checkComposeSource(document, source, new Set(['deploy/link']))
  expect(refusals.map((refusal) => refusal.key)).toEqual([key])
  expect(refusals[0]?.sentence).toContain(reason)
  expect(refusals[0]?.capability).toBeNull()
})

test.skipIf(!hasCompose).each([
  { path: 'a.yml', Env_File: 'other/.env' },
  { path: 'a.yml', Project_Directory: 'other' },
])('Compose takes the keys of the include %j whatever their case', async (include) => {
  const { text, refused } = await resolve({
    'compose.yml': { include: [include], services: { web: { image: 'app' } } },
    'a.yml': { services: { more: { image: 'app', environment: { A: '${TOKEN}' } } } },
    'other/.env': 'TOKEN=canary\n',
  })
  expect(refused).toBeNull()
  expect(text).toContain('canary')
})

test('a file that includes and extends others names them, each with the folder that its paths are relative to', () => {
  const document = {
    include: ['../db/compose.yml', { path: ['a.yml', 'more/b.yml'], project_directory: '..', env_file: 'a.env' }],
    services: {
      web: { extends: { file: 'base/web.yml', service: 'web' }, env_file: ['../.env', { path: 'x', required: false }] },
      same: { extends: { service: 'web' } },
      short: { extends: 'web' },
    },
  }
  expect(checkComposeSource(document, source)).toMatchObject({
    refusals: [],
    files: [
      { file: 'db/compose.yml', folder: 'db' },
      { file: 'deploy/a.yml', folder: '.' },
      { file: 'deploy/more/b.yml', folder: '.' },
      { file: 'deploy/base/web.yml', folder: 'deploy/base' },
    ],
  })
})

test.each([
  'db/a.yml',
  { path: 'db/a.yml', env_file: null },
  { path: 'db/a.yml', env_file: [] },
  { path: 'a.yml', project_directory: 'db' },
])('the variables beside the include %j are read too, so they cannot be a link', (include) => {
  const { refusals } = checkComposeSource({ include: [include] }, source, new Set(['deploy/db/.env']))
  expect(refusals).toMatchObject([{ key: 'include[0]' }])
})
