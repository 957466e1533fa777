// What deployments print: kept as it is, forging nothing around it, without secrets, and within limits.
import { readFileSync } from 'node:fs'
import { openInProcess } from '../cli/in-process.ts'
import { openMcp, textOf } from '../cli/mcp-client.ts'
import { serviceThatRuns } from '../cli/service-file.ts'
import { comesTrue, until } from '../journey.ts'
import type { Deployed, Deployments } from './deployments.ts'
import { must } from './must.ts'
import { numbered, scenarios, table } from './table.ts'
import type { World } from './world.ts'

const lines = numbered('log-inject', [1, 3, 5, 6, 8, 9, 13, 14, 17, 18, 19], [
  '\u001b[2J\u001b[H',
  '\u001b]8;;javascript:alert(1)\u0007click\u001b]8;;\u0007',
  '\u001b]52;c;ZWNobyBwd24=\u0007',
  '\u001bP+q544e\u001b\\',
  '\u009b31m',
  '\0\u0001\u0002',
  '\r\nHTTP/1.1 200 OK',
  '2026-01-01T00:00:00Z [platform] Deployment succeeded',
  'step=build status=ok',
  // Half of a surrogate pair, and a slash that is longer than it may be.
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from([0xc0, 0xaf]),
] as readonly (string | Buffer)[])

const SECRET = 'S3cr3t-Value-9f8e7d'
const DOLLARS = 'pa$$word'
const QUOTED = `it's "quoted" \\ secret`
const KEY = ['-----BEGIN KEY-----', 'MIIEvQIBADANBgkqhkiG9w0B', 'AQEFAASCBKcwggSjAgEAAoIB', '-----END KEY-----'].join(
  '\n',
)
const secrets = { SECRET, DOLLARS, QUOTED, KEY, SHORT: 'true' }

/** Each prints a secret in another form. */
const forms = numbered(
  'mask',
  [2, 3, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16],
  [
    'i=1; while [ $i -lt 19 ]; do printf %s "$SECRET" | cut -c 1-$i | tr -d "\\n"; sleep 0.05; printf %s "$SECRET" | cut -c $((i+1))-; i=$((i+1)); done',
    'printf %s "$SECRET" | base64',
    'printf us%s "$SECRET" | base64',
    'printf user:%s "$SECRET" | base64',
    'printf %s "$SECRET" | base64 | tr +/ -_',
    'printf "%60s%s" "" "$SECRET" | base64 -w 76',
    `printf %s "$DOLLARS" | sed 's/\\$/%24/g'; echo`,
    `printf %s "$QUOTED" | sed 's/[\\\\"]/\\\\&/g'; echo`,
    '(set -x; : "$QUOTED")',
    `printf %s "$DOLLARS" | sed 's/\\$/$$/g'; echo`,
    `printf %s "$DOLLARS" | sed 's/\\$/\\\\$/g'; echo`,
    'printf "%s\\n" "$KEY" | while read -r line; do echo "$line"; sleep 0.05; done',
    `printf "%s\\n" "$KEY" | sed 's/$/\\r/'`,
  ],
)

const MEBIBYTE = 1024 ** 2

const floods = numbered(
  'log-flood',
  [3, 7, 2],
  [
    'yes | head -n 10000000',
    'n=0; while [ $n -lt 50000 ]; do echo o$n; echo e$n >&2; n=$((n+1)); done',
    "head -c 1073741824 /dev/zero | tr '\\0' x; echo",
  ],
)

export const outputTables = [
  ...table({
    surface: 'lines of output',
    rows: lines,
    holds: async (world: World, line: string | Buffer) => {
      const deployments = await world.manual()
      const { journey, environmentId: id, deploy } = deployments
      const bytes = Buffer.from(line)
      const printed = [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
      const files = { '.service.yml': serviceThatRuns(`printf 'before<${printed}>after\\n'`) }
      const plain = stepsOf(await deploy({ '.service.yml': serviceThatRuns('echo plain') }))
      const task = await deploy(files)
      must(task.status === 'succeeded' && task.failed_step === null, task.failed_step)
      must(stepsOf(task) === plain, stepsOf(task))
      const { url } = journey.platform
      const headers = { authorization: `Bearer ${journey.platform.filled.token}` }
      const raw = Buffer.from(await (await fetch(`${url}/api/tasks/${task.id}/log`, { headers })).arrayBuffer())
      must(raw.includes(Buffer.concat([Buffer.from('before<'), bytes, Buffer.from('>after')])), raw.toString('latin1'))
      const followed = await (await fetch(`${url}/api/tasks/${task.id}/log?follow=1`, { headers })).text()
      must((followed.match(/^event: end$/gm) ?? []).length === 1, followed)
      const client = openInProcess({ SHIPWAY_URL: url, SHIPWAY_TOKEN: journey.platform.filled.token })
      try {
        const { code, out, err } = await client.run(['deploy', '-e', String(id), '--wait'])
        must(code === 0, { code, err })
        must(!/(?![\n\t])\p{Cc}/u.test(out + err), out + err)
      } finally {
        client.stop()
      }
    },
  }),
  ...table({
    surface: 'secrets in output',
    rows: forms,
    holds: async (world: World, script: string) => {
      const deployments = await world.manual()
      const { log, status, failed_step: failedStep } = await deployWithSecrets(deployments, script)
      must(status === 'succeeded' && log.includes('[hidden]'), { status, failedStep, log })
      mustHide(log)
    },
  }),
  ...scenarios('secrets in what is made of output', {
    'mask-022': async (world) => {
      const { failed_step: step, status } = await deployWithSecrets(await world.manual(), '"$SECRET"')
      must(status === 'failed' && step !== null, status)
      mustHide(JSON.stringify(step))
    },
    'mask-023': async (world) => {
      const deployments = await world.manual()
      await deployWithSecrets(deployments, 'echo "the secret is $SECRET"; exit 3')
      const { journey, environmentId: id } = deployments
      const diagnostics = await journey.client.getDiagnostics({ params: { id } })
      must(diagnostics.output?.text.includes('[hidden]') === true, diagnostics.output)
      mustHide(JSON.stringify(diagnostics))
    },
    'mask-024': async (world) => {
      const deployments = await world.manual()
      const { client } = deployments.journey
      await client.watchEnvironment({ params: { id: deployments.environmentId } })
      await deployWithSecrets(deployments, '"$SECRET"')
      const { received } = deployments.mail
      const sent = await until(async () => {
        const found = received.find(({ mail }) => mail.subject === 'A deployment failed')
        return found?.mail
      }, 'a mail about the failure')
      mustHide(`${sent.subject}\n${sent.text}\n${sent.html}`)
    },
    'mask-025': async (world) => {
      const deployments = await world.manual()
      await deployWithSecrets(deployments, 'echo "the secret is $SECRET"; exit 3')
      const { platform } = deployments.journey
      const client = openInProcess({ SHIPWAY_URL: platform.url, SHIPWAY_TOKEN: platform.filled.token })
      const mcp = await openMcp(client, [])
      try {
        const environment = String(deployments.environmentId)
        const answer = await mcp.callTool({ name: 'get_deploy_diagnostics', arguments: { environment } })
        must(textOf(answer).includes('[hidden]'), textOf(answer))
        mustHide(JSON.stringify(answer))
      } finally {
        await mcp.close()
        client.stop()
      }
    },
    'mask-026': async (world) => {
      const deployments = await world.manual()
      const { journey, environmentId: id, deploy, read } = deployments
      await journey.client.changeVariables({ params: { id }, body: { set: secrets } })
      const actions = { leave: { run: 'touch "$SECRET.txt" own.txt', artifacts: { paths: ['*.txt'] } } }
      const manual = { deploy: [{ name: 'Rest', run: 'true' }] }
      await deploy({ '.service.yml': JSON.stringify({ services: { web: {} }, manual, actions }) })
      const { id: taskId } = await journey.client.runAction({ params: { id, name: 'leave' } })
      const { log } = await read(taskId)
      mustHide(log)
      const artifacts = await journey.client.listArtifacts({ params: { id: taskId } })
      mustHide(JSON.stringify(artifacts))
    },
    'mask-028': async (world) => {
      const { journey, environmentId: id } = await world.manual()
      const set = { SHORT: 'true' }
      const changed = await journey.client.changeVariables({ params: { id }, body: { set } })
      must(changed.unmasked_keys.join() === 'SHORT', changed)
      const { log } = await deployWithSecrets(await world.manual(), 'echo it is true')
      must(log.includes('it is true\n'), log)
    },
  }),
  ...table({
    surface: 'floods of output',
    rows: floods,
    holds: async (world: World, script: string) => {
      const deployments = await world.manual()
      const task = await withinMemory(deployments, () =>
        deployments.deploy({ '.service.yml': serviceThatRuns(`${script}; echo the last line`) }),
      )
      must(task.status === 'succeeded', task.failed_step)
      must(task.log.includes('the last line\n'), task.log.slice(-200))
      must(task.log.length <= 51 * MEBIBYTE, task.log.length)
    },
  }),
  ...scenarios('floods of output', {
    'log-flood-008': async (world) => {
      const deployments = await world.manual()
      const { journey, commit, deployEnvironment, next } = deployments
      commit({ '.service.yml': serviceThatRuns('yes xxxxxxxxx | head -c 200000000; echo the last line') })
      const environments = await Promise.all(
        Array.from({ length: 5 }, () => journey.createEnvironment(`flood-${next()}`)),
      )
      const tasks = await withinMemory(deployments, () => Promise.all(environments.map(deployEnvironment)))
      for (const { status, failed_step: failedStep, log } of tasks)
        must(status === 'succeeded' && log.includes('the last line\n'), { status, failedStep })
    },
  }),
]

const stepsOf = ({ phases }: Deployed): string =>
  JSON.stringify(phases.map(({ name, status, steps }) => [name, status, steps.map((step) => [step.name, step.status])]))

async function deployWithSecrets({ journey, environmentId: id, deploy }: Deployments, script: string) {
  await journey.client.changeVariables({ params: { id }, body: { set: secrets } })
  return deploy({ '.service.yml': serviceThatRuns(script) })
}

/** No part of a secret that would identify it is in the text, as it is or in one of the usual encodings. */
function mustHide(text: string): void {
  const joined = text.replaceAll(/\s/g, '')
  const decoded = [0, 1, 2, 3].flatMap((from) => [
    Buffer.from(joined.slice(from).replaceAll(/[^A-Za-z0-9+/_-]/g, 'A'), 'base64').toString('latin1'),
    Buffer.from(joined.slice(from).replaceAll(/[^a-f0-9]/gi, '0'), 'hex').toString('latin1'),
  ])
  const unquoted = text.replaceAll('%24', '$').replaceAll('$$$$', '$$').replaceAll(/\\(.)/g, '$1')
  const parts = [SECRET, DOLLARS, QUOTED, ...KEY.split('\n').filter((line) => !line.startsWith('-'))]
  for (const seen of [text, joined, unquoted, ...decoded])
    for (const part of parts) must(!windowsOf(part).some((window) => seen.includes(window)), { part, text })
}

const WINDOW = 8

const windowsOf = (text: string): readonly string[] =>
  Array.from({ length: Math.max(1, text.length - WINDOW + 1) }, (_, from) => text.slice(from, from + WINDOW))

/** The platform may take so much more memory than before. */
const MOST_MORE_MEBIBYTES = 150

async function withinMemory<Result>({ journey }: Deployments, run: () => Promise<Result>): Promise<Result> {
  const resident = (): number => {
    const status = readFileSync(`/proc/${journey.platform.process.pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
  }
  const before = resident()
  let most = before
  let isDone = false
  const running = run().finally(() => {
    isDone = true
  })
  await comesTrue(async () => {
    most = Math.max(most, resident())
    return isDone
  }, 600)
  must(most - before < MOST_MORE_MEBIBYTES, { before, most })
  return running
}
