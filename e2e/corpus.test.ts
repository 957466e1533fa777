// Typical repositories, deployed unchanged on a real Docker Engine: one image that answers on the usual ports replaces all of their images.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readComposeFiles } from '../packages/rules/src/compose/read-compose-files.ts'
import { readSource } from '../packages/rules/src/compose/source/read-source.ts'
import type { CorpusCase } from '../packages/rules/test/corpus/case.ts'
import { forms } from '../packages/rules/test/corpus/forms.ts'
import { infrastructure } from '../packages/rules/test/corpus/infrastructure.ts'
import { treeOf, withServiceFile } from '../packages/rules/test/corpus/tree.ts'
import { webApplications } from '../packages/rules/test/corpus/web-applications.ts'
import { hasDocker } from '../packages/server/test/docker/docker-engine.ts'
import { baseImages } from '../packages/server/test/docker/docker-images.ts'
import { ask } from './ask.ts'
import { beginDockerJourney, type DockerJourney } from './docker-journey.ts'
import { ended } from './journey.ts'

/** Few services each, and together every feature that the platform interprets itself. */
const NAMES = [
  'wordpress with mysql',
  'flask with redis, built',
  'nginx before php-fpm',
  'gitea with ssh beside http',
  'node with mongo and a folder of dependencies in the container',
  'spring with mysql and health checks',
  'laravel with names of its own for everything',
  'a stack of .env and interpolated ports',
  'a mail catcher under a profile',
  'a lone Dockerfile',
  'labels for a traefik that is somewhere else',
  'a swarm file: replicas, placement and overlay',
  'logs with a size',
  'limits in the older way',
  'long forms of ports, mounts and dependencies',
  'two files, the second replaces values',
  'a service that extends one of another file',
  'a file that includes another',
  'variables without a value',
  'a mount by PWD',
  'configs and secrets out of files',
  'an IPv6 address before the port',
]
const cases = [...webApplications, ...infrastructure, ...forms].filter(({ name }) => NAMES.includes(name))

/** It answers on all of these ports whatever its command is, and has the programs that health checks use. */
const STAND_IN = [
  'mkdir -p /www && echo stand-in > /www/index.html',
  'for name in mysqladmin pg_isready; do printf "#!/bin/sh\\nexit 0\\n" > /bin/$name; chmod +x /bin/$name; done',
  'for port in 80 3000 5000 8080; do httpd -p $port -h /www; done',
  "trap 'exit 0' TERM",
  'sleep 99999 & wait',
].join('; ')

async function imagesOf({ files }: CorpusCase): Promise<string[]> {
  const tree = treeOf(files)
  const named = Object.keys(files).filter((file) => /^compose.*\.yml$/.test(file))
  const reading = { files: named, links: new Set<string>(), read: tree.read, custom: new Map(), profiles: ['tools'] }
  const { document } = await readComposeFiles({ ...reading, readSource: async (source) => readSource(source) })
  return Object.values(Object(document.services)).flatMap((service) => String(Object(service).image ?? '') || [])
}

describe.skipIf(!hasDocker)('typical repositories', () => {
  let journey: DockerJourney
  let known: readonly string[] = []

  beforeAll(async () => {
    journey = await beginDockerJourney('local', { drainSeconds: 0 })
    const [base] = baseImages()
    const entry = JSON.stringify(['/bin/sh', '-c', STAND_IN])
    await journey.docker('import', '--change', `ENTRYPOINT ${entry}`, base?.archive ?? '', 'shipway-test/stand-in')
    const images = new Set(['busybox', ...(await Promise.all(cases.map(imagesOf))).flat()])
    for (const image of images) await journey.docker('tag', 'shipway-test/stand-in', image)
  })
  afterAll(() => journey?.stop())

  test('there are at least twenty of them', () => {
    expect(cases).toHaveLength(NAMES.length)
    expect(cases.length).toBeGreaterThanOrEqual(20)
  })

  // Several at once: most of the time they wait for containers.
  test.concurrent.each(cases.map((one, at) => [one.name, one, at] as const))(
    '%s',
    async (_, { files, says = [] }, at) => {
      const all = await withServiceFile(files)
      const commit = journey.commit({ ...Object.fromEntries(known.map((path) => [path, null])), ...all })
      known = Object.keys(all)
      const id = await journey.createEnvironment(`case-${at}`)
      const { id: taskId } = await journey.client.startDeployment({ params: { id }, body: { commit } })
      const task = await ended(journey.client, taskId)
      const log = await journey.client.readTaskLog({ params: { id: taskId } })
      expect(task, log).toMatchObject({ status: 'succeeded' })
      // Without Docker, the check warns about variables that are not set; here they are.
      for (const part of says.filter((one) => !one.includes('variable'))) expect(log).toContain(part)
      expect(await ask(journey.servingPort, `case-${at}.hello.localhost`)).toEqual({ status: 200, text: 'stand-in\n' })
      const printed = await journey.docker('ps', '--format', '{{.Names}} {{.Ports}}', ...journey.ofEnvironment(id))
      expect(printed.split('\n').filter((line) => /0\.0\.0\.0|:::/.test(line))).toEqual([])
      const { id: removal } = await journey.client.deleteEnvironment({ params: { id } })
      expect(await ended(journey.client, removal)).toMatchObject({ status: 'succeeded' })
    },
  )
})
