// Which files of a commit the docker recipe goes by, and what is said where there is none.
import { expect, test } from 'vitest'
import {
  deployOnFakeHost,
  failOnFakeHost,
  linesOf,
  stepOf,
  taskFolder,
} from '../../../../test/docker/fake-deployment.ts'

const STEP = 'Find the compose file'
const anyFile = 'services:\n  web: { port: 3000 }\n'
/** What the step reads before it says no, or until Compose would be asked. */
const read = async (serviceFile: string, committed: Readonly<Record<string, string>>) =>
  linesOf(await deployOnFakeHost({ serviceFile, committed }), STEP)

test('the files that .service.yml names, in their order, and those that they draw in', async () => {
  const serviceFile = `${anyFile}docker: { compose: [deploy/compose.yml, deploy/more.yml] }\n`
  const committed = {
    'deploy/compose.yml': 'include: [../base.yml]\nservices: {}\n',
    'deploy/more.yml': 'services: { web: { volumes: ["./cache:/cache:rw"] } }\n',
    'base.yml': 'services: {}\n',
  }
  const deployed = await deployOnFakeHost({ serviceFile, committed })
  expect(stepOf(deployed, STEP)).toMatchObject({
    lines: ['read deploy/compose.yml', 'read deploy/more.yml', 'read deploy/.env', 'read base.yml'],
    said: ['deploy/compose.yml', 'deploy/more.yml'],
    result: {
      type: 'files',
      links: [],
      files: ['deploy/compose.yml', 'deploy/more.yml'],
      writes: [{ source: 'deploy/cache', target: '/cache' }],
      profiles: [],
      leftOut: [],
      envFiles: {},
      hidden: [],
      hasDefaults: false,
    },
  })
  // Their paths are relative to where the first lies.
  expect(linesOf(deployed, 'Check the compose file')[1]).toContain(
    '--project-directory RELEASE/deploy -f RELEASE/deploy/compose.yml -f RELEASE/deploy/more.yml --env-file',
  )
})

test('the usual names, one after the other, where none is named', async () => {
  const committed = { 'docker-compose.yml': 'services: {}\n' }
  expect(await read(anyFile, { ...committed, 'compose.yml': '' })).toEqual([
    'read compose.yaml',
    'read compose.yml',
    'read .env',
  ])
})

test('a lone Dockerfile gets a compose file of the platform, in the folder of the task', async () => {
  const serviceFile = `${anyFile}docker: { build: { context: app, dockerfile: Prod } }\n`
  const deployed = await deployOnFakeHost({ serviceFile })
  const web = { build: { context: './app', dockerfile: 'Prod' }, expose: ['3000'] }
  expect(stepOf(deployed, STEP)).toMatchObject({
    said: ['app/Prod'],
    result: { type: 'generated', document: { services: { web } } },
  })
  expect(linesOf(deployed, 'Check the compose file').slice(0, 3)).toEqual([
    'write TASK/generated.json',
    'inputs-of-compose RELEASE',
    'compose --ansi never --progress plain -p shipway-main-7 --project-directory RELEASE -f TASK/generated.json ' +
      '--env-file ENVIRONMENT/variables.env config --format json',
  ])
  expect(JSON.parse(deployed.files.get(`${taskFolder}/generated.json`) ?? '')).toEqual({ services: { web } })
})

test.each([
  [
    'is not there',
    {},
    `${anyFile}docker: { compose: gone.yml }\n`,
    'gone.yml:1:1: gone.yml is not in the repository. Add it, or name another one',
  ],
  [
    'leads out of the repository',
    { 'compose.yml': 'include: [../../etc/x.yml]\n' },
    anyFile,
    'compose.yml:1:11: include[0] leads out of the checkout. Name a file of the repository by its plain path',
  ],
  [
    'is no compose file',
    { 'compose.yml': '- a\n' },
    anyFile,
    'compose.yml:1:1: compose.yml is not a mapping of services. Write it as a compose file',
  ],
  [
    'leads to ever more files',
    Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [at === 0 ? 'compose.yml' : `${at}.yml`, `include: [${at + 1}.yml]\n`]),
    ),
    anyFile,
    '49.yml:1:1: The compose file leads to more than 50 files',
  ],
])('a compose file that %s is refused before the server is asked', async (_, committed, serviceFile, message) => {
  expect(await failOnFakeHost({ committed, serviceFile })).toMatchObject({ step: STEP, message })
})
