// A small company's data on a test platform, for the gallery, the screen tests, and work on the dashboard.
import { join } from 'node:path'
import { ended } from '../journey.ts'
import { writeSamples } from './sample-metrics.ts'
import { createProject, type Person, startTestPlatform, type TestPlatform } from './test-platform.ts'

export type SampleData = {
  readonly platform: TestPlatform
  readonly maren: Person
  readonly organizationId: number
  readonly projectId: number
  readonly environments: Readonly<Record<'staging' | 'demo' | 'fresh' | 'load' | 'moving' | 'broken', number>>
  readonly goodTask: number
  readonly failedTask: number
  readonly actionTask: number
  readonly runningTask: number
}

export async function createSampleData(): Promise<SampleData> {
  const platform = await startTestPlatform()
  const maren = await platform.signUp()
  const { client } = maren
  const organizationId = (await client.getMe()).organizations[0]?.id ?? 0
  const colleague = { email: 'jonas@tidewater.example', role: 'admin' as const }
  await client.createInvitation({ params: { id: organizationId }, body: colleague })
  const here = { hostname: 'localhost', connection: 'local' as const }
  const server = await client.createServer({ body: { name: 'quay-1', ...here } })
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
  project.commit('main', 'good', 'Round prices after tax, not before')
  const goodTask = await project.deploy(staging)
  const { id: actionTask } = await client.runAction({ params: { id: staging, name: 'dump' } })
  await ended(client, actionTask)
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
  project.commit('stripe-elements', 'bad', 'Take payments with Stripe Elements')
  const broken = await project.environment('stripe', 'stripe-elements', { title: 'Take payments with Stripe Elements' })
  await client.watchEnvironment({ params: { id: broken } })
  const failedTask = await project.deploy(broken)
  project.commit('feature/postal-codes', 'endless', 'Validate postal codes per country')
  const moving = await project.environment('postal-codes', 'feature/postal-codes', {
    title: 'Rework the address form so that postal codes of all countries are read as people write them',
  })
  const running = await client.startDeployment({ params: { id: moving } })
  const channels = { id: organizationId }
  await client.createChannel({
    params: channels,
    body: { type: 'slack', name: 'Bookshop team', url: 'https://hooks.slack.com/services/T0/B0/x' },
  })
  await client.createChannel({
    params: channels,
    body: { type: 'mail', name: 'On call', recipient: 'oncall@tidewater.example', severities: ['critical'] },
  })
  writeSamples({ dataFolder: join(platform.folder, 'data'), environmentId: staging, serverId: server.id })
  const environments = { staging, demo, fresh, load, moving, broken }
  return {
    platform,
    maren,
    organizationId,
    projectId: project.id,
    environments,
    goodTask,
    failedTask,
    actionTask,
    runningTask: running.id,
  }
}

if (process.argv[1] === import.meta.filename) {
  const sample = await createSampleData()
  console.log(JSON.stringify({ ...sample, platform: undefined, maren: undefined }))
  console.log(`${sample.platform.url}  ${sample.maren.email}  cookie ${sample.maren.cookie}`)
  await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))
  await sample.platform.stop()
}
