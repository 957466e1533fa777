// A platform, a server with HAProxy, and an authority, in a network of their own. Prints what happened as JSON.
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { renewCertificates } from '../../src/background/servers/certificates/renew-certificates.ts'
import { createServerJobs } from '../../src/background/servers/jobs/server-jobs.ts'
import { generateEcdsaKey, thumbprintOf } from '../../src/edge/acme/account-key.ts'
import { createAcmeAuthority } from '../../src/edge/acme/acme-authority.ts'
import { openDatabase } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { listSecureDomains } from '../../src/store/projects/certificates.ts'
import { startCaddyAuthority } from '../caddy-authority.ts'
import { buildEnvironment, buildOrganization, buildProject, buildServer, buildTask, buildUser } from '../factories.ts'
import { askSecurely, openHaproxyHttpsEdge, shownFor } from '../haproxy-https-edge.ts'
import { serve } from '../loopback.ts'
import { buildTestApp } from '../test-app.ts'
import { createLocalHost } from './local-host.ts'

const folder = process.argv[2] ?? ''
const MINUTE_MS = 60_000
const facts: Record<string, unknown> = {}

const database = await openDatabase({ dataFolder: mkFolder('data') })
await migrate(database)
const application = await serve((_, answer) => answer.end('hello'))
const caddy = await startCaddyAuthority(join(folder, 'caddy'), 8443)
const accountKey = generateEcdsaKey()
// Where the second name leads: to the authority it looks like the edge, for as long as it should.
let answersForTwo = true
const two = createServer((request, answer) => {
  const token = request.url?.split('/').at(-1)
  answer.writeHead(answersForTwo ? 200 : 404).end(answersForTwo ? `${token}.${thumbprintOf(accountKey)}` : '')
}).listen(80, '127.0.0.2')
let clockOffsetMs = 0
const clock = (): number => Date.now() + clockOffsetMs
const app = await buildTestApp(
  { ...database, drop: database.close },
  { dataFolder: join(folder, 'data') },
  { clock, acmeThumbprint: thumbprintOf(accountKey) },
)
const { ctx } = app
const edge = await openHaproxyHttpsEdge({ folder: join(folder, 'data/server/test/edge'), httpPort: 80, httpsPort: 443 })

const owner = await buildUser(ctx)
const organization = await buildOrganization(ctx, [{ user: owner, role: 'owner' }])
const server = await buildServer(ctx, organization.id, { connection: 'local', edge: 'haproxy' })
const project = await buildProject(
  ctx,
  { organizationId: organization.id, ownerId: owner.id, serverId: server.id },
  { tls: 'automatic', domain: 'example.test' },
)
for (const name of ['app', 'two', 'bad']) {
  const environment = await buildEnvironment(ctx, project, { name })
  const task = await buildTask(ctx, environment.id)
  await ctx.db
    .insertInto('routes')
    .values({ domain: environment.domain, port: application.port, task_id: task.id })
    .execute()
}

const authority = createAcmeAuthority({
  directory: caddy.directory,
  email: 'admin@example.com',
  caFile: caddy.rootFile,
  accountKey,
  clock,
})
const here = () => createLocalHost('test server')
const hosts = {
  of: here,
  forLogs: here,
  ofManager: here,
  publicKey: '',
  forget: () => undefined,
  probe: async () => undefined,
  close: async () => undefined,
}
const serverJobs = createServerJobs(ctx, hosts)
const keeper = renewCertificates(ctx, { hosts, serverJobs, authority })

await keeper.runOnce()
facts.beforeTheEdgeIsReady = await rows()

const domains = ['app', 'two', 'bad'].map((name, index) => ({
  domain: `${name}.example.test`,
  environmentId: index + 1,
  port: application.port,
  digest: null,
  isSecure: false,
}))
await edge.apply({ domains, acmeThumbprint: ctx.acmeThumbprint })
const pidBefore = await pidOfEdge()
clockOffsetMs += 31_000
await keeper.runOnce()
facts.ordered = await rows()
facts.answers = [await ask('app'), await ask('two'), (await shownFor(443, 'bad.example.test')) ?? null]
facts.secureDomains = [...(await listSecureDomains(ctx.db, server.id))].sort()
const first = await shownFor(443, 'app.example.test')

await keeper.runOnce()
facts.afterAnotherLook = await rows()
facts.isSameAfterAnotherLook = (await shownFor(443, 'app.example.test')) === first

// A third of twelve hours is left; meanwhile people go on visiting. The second name leads elsewhere by now.
answersForTwo = false
const second = await shownFor(443, 'two.example.test')
let isVisiting = true
const visits = { answered: 0, failed: 0 }
const visitors = [0, 1].map(async () => {
  while (isVisiting) {
    await ask('app').then(count, () => visits.failed++)
    await pause(10)
  }
})
clockOffsetMs = 8 * 60 * MINUTE_MS + 60_000
await keeper.runOnce()
const enough = visits.answered + 50
while (visits.answered < enough && visits.failed === 0) await ask('two').then(count)
isVisiting = false
await Promise.all(visitors)
const renewed = await shownFor(443, 'app.example.test')
facts.visits = { isAny: visits.answered > 50, failed: visits.failed }
facts.isRenewed = renewed !== undefined && renewed !== first
facts.isSameWhereRenewalFailed = (await shownFor(443, 'two.example.test')) === second
facts.afterRenewal = await rows()
facts.isSameProcess = (await pidOfEdge()) === pidBefore

await edge.stop()
await edge.start()
facts.isSameAfterRestart = (await shownFor(443, 'app.example.test')) === renewed

// The authority is away; what is there stays, and comes right when it is back.
await caddy.stop()
clockOffsetMs += 12 * MINUTE_MS
await keeper.runOnce()
facts.whileAway = await rows()
await caddy.start()
clockOffsetMs += 6 * MINUTE_MS
await keeper.runOnce()
facts.whenBack = await rows()

await ctx.db.updateTable('projects').set({ tls: 'off' }).execute()
await keeper.runOnce()
facts.justAfterOff = [
  (await shownFor(443, 'app.example.test')) !== undefined,
  [...(await listSecureDomains(ctx.db, server.id))],
]
clockOffsetMs += MINUTE_MS
await keeper.runOnce()
facts.whenOff = [(await shownFor(443, 'app.example.test')) ?? null, [...(await listSecureDomains(ctx.db, server.id))]]

await keeper.stop()
await serverJobs.stop()
await edge.close()
await caddy.stop()
await application.close()
two.close()
await app.close()
console.log(JSON.stringify(facts))

function mkFolder(name: string): string {
  mkdirSync(join(folder, name), { recursive: true })
  return join(folder, name)
}

function ask(name: string): Promise<number> {
  return askSecurely(443, `${name}.example.test`, caddy.root)
}

function count(status: number): void {
  if (status === 200) visits.answered++
  else visits.failed++
}

async function pidOfEdge(): Promise<string | undefined> {
  return /^Pid: (.*)$/m.exec(await edge.say('show info'))?.[1]
}

async function rows() {
  const all = await ctx.db.selectFrom('certificates').selectAll().orderBy('domain').execute()
  return all.map((row) => ({
    domain: row.domain,
    isIssued: row.chain !== null,
    issuer: row.issuer,
    failures: row.failures,
    error: row.last_error,
    nextInMinutes: Math.round(((row.next_attempt_at ?? 0) - clock()) / 60_000),
    isKeySealed: row.private_key_sealed?.startsWith('v1.') ?? null,
  }))
}
