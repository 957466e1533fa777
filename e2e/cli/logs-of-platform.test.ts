// `shipway logs` of the platform's own machine, which no ssh leads to: over deployments, and over a platform that is killed.
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, test } from 'vitest'
import { hasDocker } from '../../packages/server/test/docker/docker-engine.ts'
import { listProcesses } from '../../packages/server/test/process-list.ts'
import { beginDockerJourney } from '../docker-journey.ts'
import { beginJourney, comesTrue, ended, type Journey } from '../journey.ts'
import { type InProcess, openInProcess } from './in-process.ts'

let journey: Journey | undefined
let program: InProcess | undefined
afterEach(async () => {
  program?.stop()
  await journey?.stop()
})

/** Counts from one on, quickly, until it is ended. */
const counting = (version: string, stamp: string) =>
  `i=0; while :; do i=$((i+1)); echo "${stamp}${version} $i"; sleep 0.2; done`

const dockerFiles = (version: string) => ({
  '.service.yml': 'services:\n  web: { port: 3000, health: / }\ndocker:\n  compose: compose.yml\n',
  'compose.yml': `services:
  web:
    image: shipway-test/busybox
    command: ['sh', '-c', '(${counting(version, '').replaceAll('$', '$$$$')}) & mkdir /www; echo web > /www/index.html; exec httpd -f -p 3000 -h /www']
    stop_grace_period: 0s
`,
})

const manualFiles = (version: string) => ({
  '.service.yml': `services:
  web: {}
manual:
  deploy:
    - run: ./start.sh
  destroy:
    - run: ./stop.sh
`,
  'start.sh': `#!/bin/sh
./stop.sh
setsid sh -c '${counting(version, '$(date -u +%Y-%m-%dT%H:%M:%S.%NZ) ')}' >>"$SERVICE_LOG" 2>&1 </dev/null &
echo "$!" >"$HOME/service.pid"
until grep -q "${version} 1" "$SERVICE_LOG"; do sleep 0.1; done
`,
  'stop.sh': `#!/bin/sh
[ -e "$HOME/service.pid" ] || exit 0
read -r pid <"$HOME/service.pid"
kill "$pid"
while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
rm "$HOME/service.pid"
`,
})

async function followsDeployments(begun: Journey, files: (version: string) => Readonly<Record<string, string>>) {
  journey = begun
  const { client, platform } = begun
  program = openInProcess({ SHIPWAY_URL: platform.url, SHIPWAY_TOKEN: platform.filled.token })
  const id = await begun.createEnvironment('main')
  const deploy = async (version: string) => {
    begun.commit(files(version))
    const { id: taskId } = await client.startDeployment({ params: { id } })
    const task = await ended(client, taskId)
    expect(task, await client.readTaskLog({ params: { id: taskId } })).toMatchObject({ status: 'succeeded' })
  }
  await deploy('one')
  const following = program.start(['logs', '-p', 'hello', '-e', 'main', '-f', '--since', '1h'])
  const lines: string[] = []
  createInterface({ input: following.stdout }).on('line', (line) =>
    lines.push(/(one|two|three) \d+$/.exec(line)?.[0] ?? line),
  )
  const seen = async (version: string, least: number) =>
    expect(await comesTrue(async () => lines.filter((line) => line.startsWith(version)).length >= least)).toBe(true)
  await seen('one', 3)
  await deploy('two')
  await seen('two', 3)
  // Every platform of a test has an environment of this number, and readers of it.
  const readers = () =>
    listProcesses().filter(
      (words) => words.includes(platform.address.dataFolder) && words.includes(`read-output.sh ${id} alone`),
    )
  expect(await comesTrue(async () => readers().length > 0)).toBe(true)
  const died = once(platform.process, 'exit')
  platform.process.kill('SIGKILL')
  await died
  expect(await comesTrue(async () => readers().length === 0)).toBe(true)
  await platform.restart()
  await deploy('three')
  await seen('three', 5)
  following.interrupt()
  const { code } = await following.ended
  expect(code).toBe(130)
  expect(await comesTrue(async () => readers().length === 0)).toBe(true)
  for (const version of ['one', 'two', 'three']) {
    const own = lines.filter((line) => line.startsWith(`${version} `))
    // Each once, in order, and none left out.
    expect(own).toEqual(own.map((_, index) => `${version} ${index + 1}`))
  }
  expect(lines.filter((line) => !/^(one|two|three) \d+$/.test(line))).toEqual([])
}

describe.skipIf(!hasDocker)("shipway logs of a compose project on the platform's machine", () => {
  test('follows over redeployments and a killed platform, each line once', async () => {
    await followsDeployments(await beginDockerJourney('local', { drainSeconds: 0 }), dockerFiles)
  })
})

describe("shipway logs of a manual project on the platform's machine", () => {
  test('follows over redeployments and a killed platform, each line once', async () => {
    await followsDeployments(await beginJourney('embedded', 'local'), manualFiles)
  })
})
