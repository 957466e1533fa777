// What Compose gets beside the compose files, so that it takes them as their authors use them.
import { describe, expect, test } from 'vitest'
import {
  deployOnFakeHost,
  failOnFakeHost,
  linesOf,
  stepOf,
  taskFolder,
} from '../../../../test/docker/fake-deployment.ts'
import { Secret } from '../../../secrets/secret.ts'

const FIND = 'Find the compose file'
const CHECK = 'Check the compose file'
const web = { image: 'nginx', expose: ['80'] }
const asks = (deployed: Parameters<typeof linesOf>[0]) =>
  linesOf(deployed, CHECK).filter((line) => line.startsWith('compose '))

describe('a file of variables that the commit does not have', () => {
  const committed = {
    'compose.yml':
      'services:\n  web:\n    image: nginx\n    env_file: [web.env, .env.local]\n  job:\n    image: app\n    env_file: gone.env\n',
    'web.env': 'A=1\n',
  }

  test('is left out, and reported', async () => {
    const deployed = await deployOnFakeHost({ services: { web }, committed })
    expect(deployed.error).toBeUndefined()
    expect(stepOf(deployed, FIND).said).toEqual([
      'compose.yml',
      'services.web.env_file: .env.local is not in the repository, and is left out. Services get the variables of the environment anyway',
      'services.job.env_file: gone.env is not in the repository, and is left out. Services get the variables of the environment anyway',
    ])
    expect(deployed.files.get(`${taskFolder}/env-files.yml`)).toBe(
      'services:\n' +
        '  "web": { env_file: !override ["/shipway/environments/7/releases/42/web.env"] }\n' +
        '  "job": { env_file: !override [] }\n',
    )
    expect(asks(deployed)[0]).toContain('-f RELEASE/compose.yml -f TASK/env-files.yml --env-file')
  })
})

test('a file of variables outside the checkout is refused, and asked for nowhere', async () => {
  const committed = { 'compose.yml': 'services: { web: { image: app, env_file: [../other/.env, ok.env] } }\n' }
  const readFile = async (_project: number, _sha: string, { path }: { readonly path: string }) => {
    if (path.startsWith('..')) throw new Error(`git cannot read ${path}`)
    const files: Readonly<Record<string, string>> = {
      ...committed,
      '.service.yml': 'services: { web: { port: 80 } }\n',
    }
    return files[path] === undefined ? undefined : Buffer.from(files[path])
  }
  expect(await failOnFakeHost({ services: { web }, source: { readFile } })).toMatchObject({
    step: FIND,
    message: expect.stringContaining('services.web.env_file[0] leads out of the checkout'),
  })
})

describe('the .env of the repository', () => {
  const committed = {
    'compose.yml': 'services: { web: { image: "nginx:${TAG}", environment: { A: "$MODE", B: "$PWD" } } }\n',
    '.env': 'TAG=1.2\nMODE=fast\nDOCKER_HOST=tcp://evil.test\nCOMPOSE_FILE=/etc/x\n',
  }

  test('gives defaults below the variables of the environment, and steers nothing', async () => {
    const deployed = await deployOnFakeHost({ services: { web }, committed })
    expect(deployed.error).toBeUndefined()
    expect(deployed.files.get(`${taskFolder}/defaults.env`)).toBe(
      "TAG='1.2'\nMODE='fast'\nPWD='/shipway/environments/7/releases/42'\n",
    )
    expect(asks(deployed)[0]).toContain('--env-file TASK/defaults.env --env-file ENVIRONMENT/variables.env config')
    expect(stepOf(deployed, FIND).said).toContain(
      'The platform keeps DOCKER_HOST, COMPOSE_FILE for itself: the file gives no value for it',
    )
  })

  test('is not followed where it is a link', async () => {
    const source = { listLinks: async () => new Set(['.env']) }
    const deployed = await deployOnFakeHost({ services: { web }, committed, source })
    expect(deployed.files.get(`${taskFolder}/defaults.env`)).toBe("PWD='/shipway/environments/7/releases/42'\n")
    expect(stepOf(deployed, FIND).said).toContain('The file is a symbolic link, and is not read')
  })
})

describe('a secret variable that a build has a default for', () => {
  const built = (mode: string) => ({ build: { context: '/c', dockerfile: 'D', args: { MODE: mode } }, expose: ['80'] })
  const model = (mode: string) => JSON.stringify({ name: 'shipway-main-7', services: { web: built(mode) } })
  const scenario = {
    services: { web: built('s3cret') },
    committed: { 'compose.yml': 'services: { web: { build: { context: ., args: { MODE: "${MODE:-plain}" } } } }\n' },
    deployment: {
      variables: new Map<string, Secret>([
        ['MODE', new Secret('s3cret')],
        ['OTHER', new Secret('o')],
      ]),
    },
    answers: { compose: [{ stdout: model('s3cret') }, { stdout: model('plain') }] },
  }

  test('is not in the build: Compose is asked again without it', async () => {
    const deployed = await deployOnFakeHost({
      ...scenario,
      answers: {
        compose: [
          { stdout: model('s3cret') },
          { stdout: model('plain').replaceAll('"/c"', '"/shipway/environments/7/releases/42"') },
        ],
      },
    })
    expect(deployed.files.get(`${taskFolder}/build-variables.env`)).toMatch(/^OTHER='o'\nSERVICE_DOMAIN=/)
    expect(asks(deployed)).toEqual([
      expect.stringContaining('--env-file ENVIRONMENT/variables.env config'),
      expect.stringContaining('--env-file TASK/build-variables.env config'),
    ])
    const checked = deployed.files.get(`${taskFolder}/judged.json`) ?? ''
    expect(checked).toContain('"MODE":"plain"')
    expect(checked).not.toContain('s3cret')
  })

  test('is in the build where it is marked for builds', async () => {
    const deployed = await deployOnFakeHost({
      ...scenario,
      services: {
        web: {
          ...built('s3cret'),
          build: { context: '/shipway/environments/7/releases/42', dockerfile: 'D', args: { MODE: 's3cret' } },
        },
      },
      deployment: { ...scenario.deployment, buildKeys: new Set(['MODE']) },
      answers: {},
    })
    expect(deployed.error).toBeUndefined()
    expect(asks(deployed)).toHaveLength(1)
  })
})

describe('a profile', () => {
  const committed = { 'compose.yml': 'services: { web: { image: a }, tools: { image: b, profiles: [debug, dev] } }\n' }

  test('that nothing enables leaves its services out, and reports it', async () => {
    const deployed = await deployOnFakeHost({ services: { web }, committed })
    expect(stepOf(deployed, FIND).said).toContain(
      'services.tools is left out, since nothing enables its profile. To have it: docker: { profiles: [debug] } in .service.yml',
    )
    expect(asks(deployed)[0]).not.toContain('--profile')
  })

  test('that .service.yml enables is passed to Compose', async () => {
    const serviceFile = 'services: { web: {} }\ndocker: { profiles: [debug] }\n'
    const deployed = await deployOnFakeHost({ services: { web }, committed, serviceFile })
    expect(stepOf(deployed, FIND).said).toEqual(['compose.yml'])
    expect(asks(deployed)[0]).toContain('--profile debug config')
  })

  test('of a routed service is asked for', async () => {
    const serviceFile = 'services: { tools: { port: 80 } }\n'
    expect(await failOnFakeHost({ services: { web }, committed, serviceFile })).toMatchObject({
      step: CHECK,
      message: '.service.yml routes tools, whose profile nothing enables. Add docker: { profiles: [debug] } to it',
    })
  })
})

test('a required variable that is missing is reported with its file and line, and how to set it', async () => {
  const committed = {
    'compose.yml': 'services:\n  web:\n    image: app\n    environment:\n      KEY: ${APP_KEY:?no key}\n',
  }
  expect(await failOnFakeHost({ services: { web }, committed })).toMatchObject({
    step: FIND,
    message:
      'compose.yml:5:7: services.web.environment.KEY needs the variable APP_KEY, which is not set. ' +
      'Set it among the variables of the environment or of the project: shipway vars set APP_KEY=…',
  })
})

test('an error of Compose is shown without the paths of the server', async () => {
  const stderr = 'service "web" refers to undefined volume data in /shipway/environments/7/releases/42/compose.yml\n'
  expect(await failOnFakeHost({ answers: { compose: { exitCode: 15, stderr } } })).toMatchObject({
    message: 'Docker Compose cannot read this: service "web" refers to undefined volume data in compose.yml',
  })
})

test('an error of Compose comes after what is known to be wrong, with places and unset variables', async () => {
  const committed = {
    'compose.yml': 'services:\n  web:\n    image: app\n    volumes:\n      - ${PHOTOS}:/photos\n',
  }
  const stderr = 'invalid spec: :/photos: empty section between colons\n'
  const { step, message } = await failOnFakeHost({ committed, answers: { compose: { exitCode: 15, stderr } } })
  expect(step).toBe(CHECK)
  expect(message.split('\n')).toEqual([
    'compose.yml:5:9: services.web.volumes[0] cannot be read by Compose. Write it as "./folder:/path/in/the/container". ' +
      'It uses the variable PHOTOS, which is not set: shipway vars set PHOTOS=…',
    'Docker Compose cannot read this: invalid spec: :/photos: empty section between colons',
  ])
})

describe('all faults are reported at once', () => {
  const committed = {
    'compose.yml':
      'services:\n  web:\n    image: app\n    privileged: true\n    volumes: ["/etc:/host"]\n    environment: ["K=${KEY:?}"]\n',
  }

  test('faults of .service.yml with faults of the compose file', async () => {
    const { step, message } = await failOnFakeHost({ committed, serviceFile: 'services:\n  web: { prot: 80 }\n' })
    expect(step).toBe('Read .service.yml')
    expect(message.split('\n')).toEqual([
      '.service.yml:2:10: services.web.prot is not a known key; did you mean port?',
      expect.stringContaining('compose.yml:6:19: services.web.environment[0] needs the variable KEY'),
      expect.stringContaining('compose.yml:5:15: services.web.volumes[0].source mounts a path outside the checkout'),
      expect.stringContaining('compose.yml:4:5: services.web.privileged gives the container all rights'),
    ])
  })

  test('faults of domains with faults of the compose file', async () => {
    const context = { listTakenDomains: async (domains: readonly string[]) => domains }
    const { step, message } = await failOnFakeHost({ committed, context })
    expect(step).toBe('Check domains')
    expect(message.split('\n')).toHaveLength(4)
  })

  test('faults of the file that Compose resolved, with file and line', async () => {
    const file = { 'compose.yml': committed['compose.yml'].replace(/ {4}environment.*\n/, '') }
    const services = {
      web: { image: 'app', privileged: true, volumes: [{ type: 'bind', source: '/etc', target: '/host' }] },
    }
    const { step, message } = await failOnFakeHost({
      committed: file,
      services,
      serviceFile: 'services: { web: {}, api: {} }\n',
    })
    expect(step).toBe(CHECK)
    expect(message.split('\n')).toEqual([
      expect.stringMatching(/^compose\.yml:5:15: services\.web\.volumes\[0\]\.source/),
      expect.stringMatching(/^compose\.yml:4:5: services\.web\.privileged/),
      '.service.yml routes api, which the compose file does not have. It has web',
    ])
  })
})
