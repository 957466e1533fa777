// The exact words for BuildKit.

import type { JsonObject } from '@shipway/rules/compose/model'
import { expect, test } from 'vitest'
import { modelOf } from '../../../../rules/test/compose.ts'
import { imageBuild } from '../../domain/compose/image-build.ts'
import { type BuildSettings, buildImage } from './build-image.ts'

const settings: BuildSettings = {
  imageOf: (service) => `ours-${service}:41`,
  labels: { 'shipway.environment': '7' },
  cacheToken: 'ours-7',
  cgroup: null,
  inlineFile: '/tasks/41/web.Dockerfile',
  variableOf: (variable) => `OURS_${variable}`,
}

function words(
  build: JsonObject,
  { secrets = {}, ...changes }: Partial<BuildSettings> & { secrets?: JsonObject } = {},
) {
  const model = modelOf({ web: { build: { context: '/c', ...build } } }, { secrets })
  const service = model.services.get('web')
  if (!service) throw new Error('There is no service')
  return buildImage(imageBuild(model, service), { ...settings, ...changes })
}

const beginning = 'docker buildx build --progress plain --load --file'
const usual = (file = '/c/Dockerfile', provenance = 'false') =>
  `${beginning} ${file} --tag ours-web:41 --provenance ${provenance}`
const own = '--build-arg BUILDKIT_CACHE_MOUNT_NS=ours-7'
const label = '--label shipway.environment=7'
const cache = '--add-host shipway-ours-7=127.0.0.1'

test.each<[string, JsonObject, string]>([
  ['nothing but a context', {}, `${usual()} ${own} ${label} ${cache} -- /c`],
  ['another Dockerfile', { dockerfile: 'docker/web' }, `${usual('/c/docker/web')} ${own} ${label} ${cache} -- /c`],
  [
    "several platforms, one of them the engine's",
    { platforms: ['linux/a', 'linux/b'] },
    `${usual()} ${own} ${label} ${cache} -- /c`,
  ],
  [
    'a Dockerfile in the file',
    { dockerfile_inline: 'FROM x' },
    `${usual(settings.inlineFile)} ${own} ${label} ${cache} -- /c`,
  ],
  [
    'a label with a dollar sign in its name',
    { labels: { a$$b: 'c$$d' } },
    `${usual()} ${own} --label a$b=c$d ${label} ${cache} -- /c`,
  ],
  [
    'arguments',
    { args: { A: '1', B: 'a$$b' } },
    `${usual()} --build-arg A=1 --build-arg B=a$b ${own} ${label} ${cache} -- /c`,
  ],
  [
    'a label of ours, which wins',
    { labels: { a: '1', 'shipway.environment': '9' } },
    `${usual()} ${own} --label a=1 ${label} ${cache} -- /c`,
  ],
  [
    'further contexts, one of them the image of a service',
    { additional_contexts: { docs: '/c/docs', base: 'service:base' } },
    `${usual()} ${own} ${label} --build-context docs=/c/docs --build-context base=docker-image://ours-base:41 ${cache} -- /c`,
  ],
  [
    'what else can be said of a build',
    {
      target: 'run',
      network: 'none',
      shm_size: '64',
      ulimits: { nofile: { soft: 1, hard: 2 }, nproc: 3 },
      cache_from: ['x/y'],
      extra_hosts: ['a=::1'],
      platforms: ['linux/arm64'],
      no_cache: true,
      pull: true,
      privileged: true,
      entitlements: ['network.host'],
      provenance: 'true',
      sbom: 'true',
    },
    `${usual('/c/Dockerfile', 'true')} --sbom true ${own} ${label} --target run --network none --shm-size 64 ` +
      `--ulimit nofile=1:2 --ulimit nproc=3 --cache-from x/y ${cache} --add-host a=::1 --platform linux/arm64 ` +
      '--allow network.host --allow security.insecure --no-cache --pull -- /c',
  ],
])('%s', (_, build, line) => {
  expect(words(build).join(' ')).toBe(line)
})

test('the cache is the own one, whatever the file says', () => {
  const line = words({ args: { BUILDKIT_CACHE_MOUNT_NS: 'theirs' }, extra_hosts: ['shipway-theirs=::1'] }).join(' ')
  expect(line).toContain(` ${own} `)
  expect(line).not.toContain('MOUNT_NS=theirs')
  expect(line).toContain(` ${cache} `)
})

test('an image is built for the platform that the service runs on', () => {
  const { services, ...model } = modelOf({ web: { platform: 'linux/amd64', build: { context: '/c' } } })
  const [service] = services.values()
  if (!service) throw new Error('There is no service')
  expect(buildImage(imageBuild({ services, ...model }, service), settings).join(' ')).toContain(
    ' --platform linux/amd64 ',
  )
})

test('a build with limits runs in the cgroup that has them', () => {
  expect(words({}, { cgroup: '/ours-7' }).join(' ')).toContain(' --cgroup-parent /ours-7 ')
})

test('a secret comes from a file or a variable, which has another name there', () => {
  const secrets = { token: { environment: 'TOKEN' }, 'a,"b': { file: '/c/x,y' } }
  const build = { secrets: [{ source: 'token' }, { source: 'a,"b', target: 'q,"r' }] }
  expect(words(build, { secrets }).filter((word) => /id=/.test(word))).toEqual([
    '"id=token","env=OURS_TOKEN"',
    '"id=q,""r","src=/c/x,y"',
  ])
})

test('a secret whose variable the environment does not have is left out', () => {
  const secrets = { token: { environment: 'TOKEN' } }
  const build = { secrets: [{ source: 'token' }] }
  expect(words(build, { secrets, variableOf: () => undefined })).not.toContain('--secret')
})

test('a value that is no build is refused by its key, without being shown', () => {
  expect(() => words({ args: { A: ['s3cret'] } })).toThrow(
    'services.web.build.args.A is of no form that an image can be built from',
  )
  expect(() => words({ secrets: [{ source: 'nowhere' }] })).toThrow(
    'secrets.nowhere is neither a variable nor a file, so no build can get it',
  )
})
