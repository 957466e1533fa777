// A small company's data on a test platform, for the gallery, the screen tests, and work on the dashboard.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCheckout } from '../../packages/cli/src/upload/make-commit.ts'
import { sendWorkingTree } from '../../packages/cli/src/upload/send-working-tree.ts'
import { ended } from '../journey.ts'
import { writeSamples } from './sample-metrics.ts'
import { addSwarm } from './sample-swarm.ts'
import { createProject, PASSWORD, type Person, signIn, startTestPlatform, type TestPlatform } from './test-platform.ts'

export type SampleData = {
  readonly platform: TestPlatform
  readonly maren: Person
  readonly organizationId: number
  readonly projectId: number
  readonly environments: Readonly<Record<EnvironmentName, number>>
  readonly goodTask: number
  readonly failedTask: number
  readonly actionTask: number
  readonly commandTask: number
  readonly runningTask: number
  /** Where the server that is a Swarm listens. */
  readonly swarmPort: number
  /** In place of what was measured since. */
  renewMetrics(): void
}
type EnvironmentName = 'staging' | 'demo' | 'fresh' | 'load' | 'moving' | 'broken' | 'waiting' | 'upload' | 'scaled'

export async function createSampleData(): Promise<SampleData> {
  const platform = await startTestPlatform()
  const maren = await platform.signUp()
  const { client } = maren
  const organizationId = (await client.getMe()).organizations[0]?.id ?? 0
  const colleague = { email: 'jonas@tidewater.example', role: 'admin' as const }
  await client.createInvitation({ params: { id: organizationId }, body: colleague })
  const here = { hostname: 'localhost', connection: 'local' as const }
  const server = await client.createServer({ body: { name: 'quay-1', ...here } })
  const swarm = await addSwarm(platform, maren)
  const storefront = await createProject(platform, maren, {
    name: 'storefront',
    domain: 'store.localhost',
    serverIds: [swarm.serverId],
  })
  storefront.commit('main', 'good', 'Show the sale of the week')
  const scaled = await storefront.environment('production', 'main', {
    sticky: true,
    recipe: 'docker',
    title: 'Readers buy here',
  })
  swarm.scale(scaled, { web: 6, worker: 2 })
  await createProject(platform, maren, { name: 'catalog-api', domain: 'catalog.localhost', serverIds: [server.id] })
  const project = await createProject(platform, maren, {
    name: 'bookshop',
    domain: 'books.localhost',
    serverIds: [server.id],
  })
  project.commit('main', 'good', 'Round prices after tax, not before')
  const staging = await project.environment('staging', 'main', { sticky: true, title: 'What the next release will be' })
  await client.changeVariables({
    params: { id: staging },
    body: { set: { DATABASE_URL: 'postgres://db', SENTRY_DSN: 'https://sentry.example/1' } },
  })
  for (const message of ['Rename the basket’s events', 'Move sessions to Redis', 'Show gift wrapping']) {
    project.commit('main', 'good', message)
    await project.deploy(staging)
  }
  project.commit('main', 'bad', 'Read the webhook secret of Stripe at start')
  await project.deploy(staging)
  project.commit('main', 'nightly', 'Round prices after tax, not before')
  const goodTask = await project.deploy(staging)
  const { id: actionTask } = await client.runAction({ params: { id: staging, name: 'dump' } })
  await ended(client, actionTask)
  await ended(client, (await client.runAction({ params: { id: staging, name: 'clean-carts' } })).id)
  const { id: commandTask } = await client.startRun({ params: { id: staging }, body: { command: 'wc --lines app.js' } })
  await ended(client, commandTask)
  const demo = await project.environment('demo', 'main', {
    sticky: true,
    protected: true,
    title: 'For customers and the sales team',
  })
  await project.deploy(demo)
  const fresh = await project.environment('price-import', 'main', { title: 'Price import rehearsal' })
  const load = await project.environment('load-test', 'main', { title: 'Checkout under load, 200 requests a second' })
  await project.deploy(load)
  await client.changeVariables({ params: { id: load }, body: { set: { CHECKOUT_RATE: '200' } } })
  const wrapping = project.commit('gift-wrapping', 'good', 'Show gift wrapping in the basket')
  await project.openPullRequest({
    number: 228,
    branch: 'gift-wrapping',
    sha: wrapping,
    title: 'Show gift wrapping in the basket',
  })
  await client.updateProject({ params: { id: project.id }, body: { fork_pull_requests: 'approval' } })
  await project.openPullRequest({
    number: 233,
    branch: 'bokmal',
    sha: wrapping,
    title: 'Fix the spelling of “Bokmål” in the language menu',
    isFork: true,
  })
  project.commit('reviews', 'good', 'Let readers review books')
  const ada = await joinAs(platform, maren, 'Ada Lindqvist')
  const upload = await deployWorkingTree(platform, ada, project.id)
  project.commit('stripe-elements', 'bad', 'Take payments with Stripe Elements')
  const broken = await project.environment('stripe', 'stripe-elements', { title: 'Take payments with Stripe Elements' })
  await client.watchEnvironment({ params: { id: broken } })
  const failedTask = await project.deploy(broken)
  project.commit('feature/postal-codes', 'endless', 'Validate postal codes per country')
  const moving = await project.environment('postal-codes', 'feature/postal-codes', {
    title: 'Rework the address form so that postal codes of all countries are read as people write them',
  })
  const running = await client.startDeployment({ params: { id: moving } })
  const checks = { host_token: 'a-token', deploy_after: 'checks' as const, deploy_after_checks: ['build', 'lint'] }
  await client.updateProject({ params: { id: project.id }, body: checks })
  await project.openPullRequest({
    number: 241,
    branch: 'wish-lists',
    sha: project.commit('wish-lists', 'good', 'Let readers share their wish lists'),
    title: 'Let readers share their wish lists',
  })
  const waiting = (await client.listEnvironments({ params: { id: project.id }, query: {} })).find(
    ({ name }) => name === 'pr-241',
  )
  const channels = { id: organizationId }
  await client.createChannel({
    params: channels,
    body: { type: 'slack', name: 'Bookshop team', url: 'https://hooks.slack.com/services/T0/B0/x' },
  })
  await client.createChannel({
    params: channels,
    body: { type: 'mail', name: 'On call', recipient: 'oncall@tidewater.example', severities: ['critical'] },
  })
  const sampled = {
    dataFolder: join(platform.folder, 'data'),
    environmentId: staging,
    serverIds: [server.id, swarm.serverId],
  }
  writeSamples(sampled)
  const renewMetrics = (): void => writeSamples({ ...sampled, isRenewal: true })
  const environments = { staging, demo, fresh, load, moving, broken, upload, scaled, waiting: waiting?.id ?? 0 }
  const stop = async (): Promise<void> => {
    await platform.stop()
    await swarm.stop()
  }
  return {
    platform: { ...platform, stop },
    maren,
    organizationId,
    projectId: project.id,
    environments,
    goodTask,
    failedTask,
    actionTask,
    commandTask,
    runningTask: running.id,
    swarmPort: swarm.port,
    renewMetrics,
  }
}

async function joinAs(platform: TestPlatform, { client }: Person, name: string): Promise<Person> {
  const organizationId = (await client.getMe()).organizations[0]?.id ?? 0
  const body = { email: `${name.split(' ', 1)[0]?.toLowerCase()}@tidewater.example`, role: 'member' as const }
  const { url } = await client.createInvitation({ params: { id: organizationId }, body })
  const token = new URL(url ?? '').hash.slice('#token='.length)
  return signIn(platform.url, '/api/invitations/acceptance', { token, name, password: PASSWORD })
}

/** As `shipway up` does, with the branch that is checked out. It fails: uploads need Docker, which does not run here. */
async function deployWorkingTree({ gitHost }: TestPlatform, { client }: Person, projectId: number): Promise<number> {
  const { signal } = new AbortController()
  const project = await client.getProject({ params: { id: projectId } })
  writeFileSync(join(gitHost.folder, project.name, 'reviews.js'), 'exports.shown = 5\n')
  const checkout = await findCheckout(join(gitHost.folder, project.name), signal)
  const tree = { checkout, project, expires: '3d' }
  const { environment, task } = await sendWorkingTree({ client: async () => client, signal }, tree)
  rmSync(join(checkout.root, 'reviews.js'))
  await ended(client, task.id)
  return environment.id
}

if (process.argv[1] === import.meta.filename) {
  const sample = await createSampleData()
  console.log(JSON.stringify({ ...sample, platform: undefined, maren: undefined }))
  console.log(`${sample.platform.url}  ${sample.maren.email}  cookie ${sample.maren.cookie}`)
  await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))
  await sample.platform.stop()
}
