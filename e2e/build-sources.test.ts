// What builds and containers reach from a server with firewall rules: no service on its loopback, no other environment, and no metadata
// service of a cloud. A hostile repository tries.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { edgeTemplates } from '../packages/server/src/edge/haproxy/config-template.ts'
import { setUpScript } from '../packages/server/src/remote/set-up/server-set-up.ts'
import { hasDocker } from '../packages/server/test/docker/docker-engine.ts'
import { hasHaproxy } from '../packages/server/test/haproxy.ts'
import { hasSshd } from '../packages/server/test/sshd.ts'
import { type LoopbackService, startLoopbackService } from './build-sources/loopback-service.ts'
import { startMetadataService } from './build-sources/metadata-service.ts'
import { beginJourney, ended, type Journey } from './journey.ts'
import { addDockerServer, type DockerServer } from './servers.ts'
import { openHook, outcomeOf, pullRequestWas } from './webhooks/deliveries.ts'

const serviceFile = 'services:\n  web: { port: 3000, health: / }\ndocker:\n  compose: compose.yml\n'
const serve = 'STOPSIGNAL SIGKILL\nCMD ["httpd", "-f", "-p", "3000", "-h", "/www"]\n'
const lone = (before: string) => ({
  '.service.yml': serviceFile,
  'compose.yml': `services:\n  web: { build: . }\n`,
  Dockerfile: `${before}\n${serve}`,
})
const from = (lines: string) =>
  lone(`FROM shipway-test/busybox\nRUN mkdir /www && echo page > /www/index.html\n${lines}`)

describe.skipIf(!hasDocker || !hasSshd || !hasHaproxy)('sources that a build must not read', () => {
  let journey: Journey
  let server: DockerServer
  let secret: LoopbackService
  let id: number
  let victimPort: string

  const run = async (environment = id) => {
    const { id: taskId } = await journey.client.startDeployment({ params: { id: environment } })
    const task = await ended(journey.client, taskId)
    return { ...task, log: await journey.client.readTaskLog({ params: { id: taskId } }) }
  }
  const grant = (capabilities: ('remote_build_sources' | 'private_registries')[]) =>
    journey.client.changeGrants({ params: { id }, body: { capabilities } })

  beforeAll(async () => {
    journey = await beginJourney('embedded', 'local', {
      settings: { SHIPWAY_LEAST_DISK_MIB: '1', SHIPWAY_DRAIN_SECONDS: '0' },
    })
    server = await addDockerServer(journey.client, 'Docker')
    secret = await startLoopbackService(server.engine.inItsNetwork)
    await journey.client.updateProject({
      params: { id: journey.projectId },
      body: { server_ids: [server.id], default_recipe: 'docker' },
    })
    journey.commit(from(''))
    const victim = await journey.createEnvironment('victim')
    expect(await run(victim)).toMatchObject({ status: 'succeeded' })
    const published = ['ps', '--filter', `label=shipway.environment=${victim}`, '--format', '{{.Ports}}']
    victimPort = /127\.0\.0\.1:(\d+)->/.exec(await server.engine.docker(...published))?.[1] ?? ''
    id = await journey.createEnvironment('hostile')
  })
  afterAll(async () => {
    await secret?.stop()
    await journey?.stop()
    await server?.stop()
  })

  test('no instruction of a Dockerfile reads a service of the server', async () => {
    expect(await server.run('curl', '--silent', `http://127.0.0.1:${secret.port}/`)).toBe('secret')
    expect(await server.run('curl', '--silent', `http://127.0.0.1:${victimPort}/`)).toBe('page\n')
    const here = `127.0.0.1:${secret.port}`
    const remote = /it fetches \S+ itself, in the network of the server.*Fetch it in RUN.*"remote_build_sources"/
    const registry = /from the registry \S+, which leads to \S+, an address that is not public.*"private_registries"/
    // One for each way by which Docker itself would fetch; where it would go is decided before it is asked (`registries.test.ts`).
    const hostile: [files: Record<string, string>, step: string, message: RegExp][] = [
      [from(`ADD http://${here}/ /www/stolen`), 'Build images', remote],
      [from(`ADD http://${here}/repository.git /www/stolen`), 'Build images', remote],
      [from('ADD git@github.com:shop/private.git /www/stolen'), 'Build images', remote],
      [lone(`FROM ${here}/shop/private`), 'Build images', registry],
      [from(`COPY --from=localhost:${secret.port}/shop/private / /www`), 'Build images', registry],
      [from(`RUN --mount=from=${here}/shop/private,target=/stolen cp -r /stolen /www`), 'Build images', registry],
      [lone(`# syntax=${here}/frontend\nFROM shipway-test/busybox`), 'Build images', registry],
      [from('RUN --network=host wget -O /www/stolen http://127.0.0.1'), 'Build images', /network.host is not allowed/],
      [
        { 'compose.yml': `services:\n  web: { image: "${here}/shop/private" }\n` },
        ...(['Pull images', registry] as const),
      ],
    ]
    for (const [files, name, message] of hostile) {
      journey.commit({ ...from(''), ...files })
      const task = await run()
      expect(task, JSON.stringify(files)).toMatchObject({ status: 'failed', failed_step: { name } })
      expect(task.failed_step?.message, JSON.stringify(files)).toMatch(message)
    }
    // One request came from the test itself.
    expect(await secret.requests()).toEqual(['GET /'])
  })

  test('a RUN reaches neither the loopback nor another environment', async () => {
    const [gateway = '', address = ''] = (
      await server.engine.docker(
        ...['inspect', '--format', '{{range .NetworkSettings.Networks}}{{.Gateway}} {{.IPAddress}}{{end}}'],
        (await server.engine.docker('ps', '--quiet', '--filter', 'label=shipway.service=web')).trim(),
      )
    )
      .trim()
      .split(' ')
    const addresses = [
      ...['127.0.0.1', gateway, 'host.docker.internal'].flatMap((host) => [
        `${host}:${secret.port}`,
        `${host}:${victimPort}`,
      ]),
      `${address}:3000`,
    ]
    const tries = addresses.map((one) => `RUN if timeout 2 wget -q -O- http://${one}/; then echo "reached ${one}"; fi`)
    const build = "{ context: ., extra_hosts: ['host.docker.internal:host-gateway'] }"
    journey.commit({ ...from(tries.join('\n')), 'compose.yml': `services:\n  web: { build: ${build} }\n` })
    const task = await run()
    expect(task, JSON.stringify(task.failed_step)).toMatchObject({ status: 'succeeded' })
    expect(task.log).not.toMatch(/ reached \d/)
    expect(task.log).toContain(`wget -q -O- http://${address}:3000/`)
    expect(await secret.requests()).toEqual(['GET /'])
  })

  test('the metadata service of a cloud is out of reach once the set-up has run', async () => {
    const metadata = await startMetadataService(server.engine.inItsNetwork)
    const tries = 'RUN if timeout 2 wget -q -O- http://169.254.169.254/; then echo "got there"; fi; date'
    const warned = async () => {
      const { checks } = await journey.client.checkServer({ params: { id: server.id } })
      return checks.filter(({ status, name }) => name === 'metadata' || (name === 'buildx' && status !== 'ok'))
    }
    const container = (await server.engine.docker('ps', '--quiet', '--filter', 'label=shipway.service=web'))
      .trim()
      .split('\n')[0]
    const ask = () =>
      server.engine.docker('exec', container ?? '', 'timeout', '2', 'wget', '-q', '-O-', 'http://169.254.169.254/')
    try {
      expect(await server.run('curl', '--silent', 'http://169.254.169.254/')).toBe('credentials\n')
      expect(await ask()).toBe('credentials\n')
      expect(await warned()).toMatchObject([{ name: 'metadata', status: 'warning' }])
      await server.run('sh', '-c', rulesOfSetUp())
      await expect(ask()).rejects.toThrow('Connection refused')
      // Docker does so itself for a moment with each network that it makes.
      const leadPastDocker = (how: '-D' | '-I') => server.run('iptables', '-w', how, 'FORWARD', '-j', 'DOCKER-USER')
      await leadPastDocker('-D')
      await expect(ask()).rejects.toThrow()
      await leadPastDocker('-I')
      expect(await server.run('curl', '--silent', 'http://169.254.169.254/')).toBe('credentials\n')
      expect(await warned()).toEqual([])
      journey.commit(from(tries))
      const { status, log } = await run()
      expect(status).toBe('succeeded')
      expect(log).not.toMatch(/\d got there/)
    } finally {
      await metadata.stop()
    }
  })

  test('the approved commit of a fork follows the same policy, and gets no grant', async () => {
    const params = { id: journey.projectId }
    await journey.client.updateProject({ params, body: { fork_pull_requests: 'approval' } })
    const { url, secret: hookSecret } = await journey.client.regenerateWebhookSecret({ params })
    const hook = openHook(`${journey.platform.url}${new URL(url).pathname}`, hookSecret)
    const sha = journey.commit(from(`ADD http://127.0.0.1:${secret.port}/ /www/stolen`))
    execFileSync('git', ['-C', join(journey.gitHost.folder, 'repository'), 'update-ref', 'refs/pull/7/head', sha])
    const { pull_request: pullRequest, ...rest } = pullRequestWas('opened', { number: 7, branch: 'main', sha })
    const payload = { ...rest, pull_request: { ...pullRequest, head: { ...pullRequest.head, repo: { id: 2 } } } }
    const sent = await hook.send({ event: 'pull_request', payload })
    const outcome = await outcomeOf(journey.client, journey.projectId, sent)
    expect(outcome).toMatchObject({ reason: 'awaiting_approval' })
    hook.close()
    const all = await journey.client.listEnvironments({ params })
    const fork = all.find(({ name }) => name === 'pr-7')?.id ?? 0
    const granting = journey.client.changeGrants({
      params: { id: fork },
      body: { capabilities: ['remote_build_sources', 'private_registries'] },
    })
    await expect(granting).rejects.toMatchObject({ status: 422 })
    const approved = await journey.client.approveEnvironment({ params: { id: fork }, body: { commit_sha: sha } })
    const task = await ended(journey.client, approved.id)
    expect(task).toMatchObject({ status: 'failed', failed_step: { name: 'Build images' } })
    expect(task.failed_step?.message).toContain('where builds may fetch nothing')
    expect(await secret.requests()).toEqual(['GET /'])
  })

  test('an owner can grant it to one environment', async () => {
    journey.commit(from(`ADD http://127.0.0.1:${secret.port}/granted /www/index.html`))
    await grant(['remote_build_sources'])
    const task = await run()
    expect(task, JSON.stringify(task.failed_step)).toMatchObject({ status: 'succeeded' })
    expect(await secret.requests()).toContain('GET /granted')
    journey.commit(lone(`FROM 127.0.0.1:${secret.port}/x`))
    expect((await run()).failed_step?.message).toContain('"private_registries"')
    await grant(['private_registries'])
    expect((await run()).failed_step?.message).not.toContain('"private_registries"')
    expect((await secret.requests()).some((request) => request.includes('/v2/x/manifests'))).toBe(true)
  })
})

/** The program that the set-up installs to run at every start of Docker. */
function rulesOfSetUp(): string {
  const [, rules] = /^metadata_rules\(\) \{\n {2}cat <<'END'\n([\s\S]*?)^END$/m.exec(setUpScript(edgeTemplates())) ?? []
  if (rules === undefined) throw new Error('The set-up has no rules')
  return rules
}
