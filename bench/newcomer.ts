// A newcomer's clock: clicks, fields to fill in and seconds from "New project" to the deployment of a pull request, in Chromium, with a
// connection to the git host and without one, and of a repository that has a compose file and no `.service.yml`. A program presses the buttons: the seconds are those of the machines, not of a person.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { openBrowser, openPage } from '../e2e/dashboard/browser.ts'
import { type ConnectedGitHost, deliverOpened, startConnectedGitHost } from '../e2e/dashboard/connected-git-host.ts'
import { filesOf } from '../e2e/dashboard/repository.ts'
import { type Person, startTestPlatform, type TestPlatform } from '../e2e/dashboard/test-platform.ts'
import { ended } from '../e2e/journey.ts'
import { composeFile, dockerfile, serverFile } from '../e2e/load/sample.ts'
import { startEngine } from '../packages/server/test/docker/docker-engine.ts'
import type { Verdict } from './verdict.ts'

type Scene = {
  readonly platform: TestPlatform
  readonly host: ConnectedGitHost
  readonly person: Person
  readonly page: Page
}

type Clock = { clicks: number; fields: number; seconds: number }

export async function benchNewcomer(): Promise<readonly Verdict[]> {
  execFileSync(process.execPath, [fileURLToPath(new URL('../packages/web/build.ts', import.meta.url)), '--quiet'])
  const engine = await startEngine()
  const platform = await startTestPlatform({ DOCKER_HOST: engine.host })
  const browser = await openBrowser()
  const person = await platform.signUp()
  const host = await startConnectedGitHost(platform.gitHost)
  try {
    await person.client.createServer({ body: { name: 'quay-1', hostname: 'localhost', connection: 'local' } })
    for (const name of ['acme/shop', 'acme/books']) host.commit(name, filesOf('good', platform.lifeline.port))
    const compose = `${composeFile}    ports: ["8080:3000"]\n`
    host.commit('acme/press', { 'compose.yml': compose, Dockerfile: dockerfile, 'server.js': serverFile })
    const { page } = await openPage(browser, platform.url, { person })
    const scene = { platform, host, person, page }
    const byHand = await connectByHand(scene)
    const once = await addConnection(scene)
    const connected = await chooseRepository(scene, 'shop')
    const composeOnly = await chooseRepository(scene, 'press')
    const say = ({ clicks, fields, seconds }: Clock): string =>
      `${clicks} clicks, ${fields} fields, ${seconds.toFixed(1)} s`
    return [
      {
        what: 'clicks from "New project" to the deployment of a pull request, with a connection against without one',
        figure: connected.clicks / byHand.clicks,
        detail: `${say(connected)}; without: ${say(byHand)}; adding the connection, once: ${say(once)}`,
      },
      {
        what: 'the same of a repository with a compose file and no .service.yml, whose image is built twice',
        figure: composeOnly.clicks / byHand.clicks,
        detail: say(composeOnly),
      },
    ]
  } finally {
    await host.stop()
    await browser.close()
    await platform.stop()
    await engine.stop()
  }
}

/** With the least that a git host can ask for: one page for the key and the webhook, and a button for each. */
async function connectByHand({ platform, host, person, page }: Scene): Promise<Clock> {
  const hostPage = await startHostPage((key) => platform.gitHost.authorize(key))
  const clock = startClock()
  await page.goto('/')
  await clock.press(page.getByRole('link', { name: 'New project' }).first())
  await clock.fill(
    page.getByLabel('Repository', { exact: true }),
    platform.gitHost.address(`${platform.gitHost.folder}/acme/books`),
  )
  await clock.fill(page.getByLabel('Domain', { exact: true }), 'books.localhost')
  await clock.fill(page.getByLabel('Default branch'), 'trunk')
  await clock.choose(page.getByLabel('Recipe'), 'manual')
  await clock.press(page.getByRole('button', { name: 'Create and connect' }))
  const copied = async (label: string): Promise<string> => {
    await clock.press(page.getByRole('button', { name: `Copy ${label}` }))
    return (await page.getByRole('region', { name: label }).innerText()).trim()
  }
  const key = await copied('the repository key')
  const url = await copied('the address of the webhook')
  const secret = await copied('the webhook secret')
  const settings = await page.context().newPage()
  await settings.goto(hostPage.url)
  await clock.fill(settings.getByLabel('Key'), key)
  await clock.press(settings.getByRole('button', { name: 'Add key' }))
  await clock.fill(settings.getByLabel('URL'), url)
  await clock.fill(settings.getByLabel('Secret'), secret)
  await clock.press(settings.getByRole('button', { name: 'Add webhook' }))
  await settings.close()
  await clock.press(page.getByRole('button', { name: 'New environment' }).first())
  await clock.fill(page.getByRole('dialog').getByRole('textbox', { name: 'Name' }), 'trunk')
  await clock.press(page.getByRole('dialog').getByRole('button', { name: 'Create' }))
  await pullRequestIsLive(person, {
    name: 'books',
    url,
    secret,
    sha: host.branchOff('acme/books'),
    repositoryId: host.idOf('acme/books'),
  })
  await hostPage.stop()
  return clock.read()
}

/** Once for all projects of an organization; the token is there already. */
async function addConnection({ host, person, page }: Scene): Promise<Clock> {
  const organizationId = (await person.client.getMe()).organizations[0]?.id ?? 0
  const clock = startClock()
  await page.goto(`/organizations/${organizationId}/connections`)
  await clock.press(page.getByRole('button', { name: 'Add connection' }).first())
  const dialog = page.getByRole('dialog')
  await clock.choose(dialog.getByLabel('Git host'), 'gitea')
  await clock.fill(dialog.getByLabel('Address'), host.base)
  await clock.fill(dialog.getByLabel('Access token'), host.token)
  await clock.press(dialog.getByRole('button', { name: 'Connect' }))
  await page.getByRole('button', { name: 'Open the connection Gitea' }).waitFor()
  return clock.read()
}

async function chooseRepository({ host, person, page }: Scene, name: string): Promise<Clock> {
  const clock = startClock()
  await page.goto('/')
  await clock.press(page.getByRole('link', { name: 'New project' }).first())
  await clock.press(page.getByRole('button', { name: new RegExp(`^acme/${name}`) }))
  await page.getByText(/^The check finds no problem/).waitFor()
  await clock.press(page.getByRole('button', { name: 'Deploy', exact: true }))
  await page.getByRole('heading', { name: /^Deployment #/ }).waitFor()
  const hook = host.hooks.at(-1)
  if (!hook) throw new Error('The platform added no webhook')
  await pullRequestIsLive(person, {
    ...hook,
    name,
    sha: host.branchOff(`acme/${name}`),
    repositoryId: host.idOf(`acme/${name}`),
  })
  return clock.read()
}

type Opened = Parameters<typeof deliverOpened>[0] & { readonly name: string }

async function pullRequestIsLive({ client }: Person, { name, ...opened }: Opened): Promise<void> {
  const answer = await deliverOpened(opened)
  if (!answer.ok) throw new Error(`The delivery was answered with ${answer.status}: ${await answer.text()}`)
  const project = (await client.listProjects()).find((each) => each.name === name)
  const environments = await client.listEnvironments({ params: { id: project?.id ?? 0 } })
  const environment = environments.find((each) => each.name === 'pr-7')
  const [task] = await client.listTasks({ params: { id: environment?.id ?? 0 } })
  const { status } = await ended(client, task?.id ?? 0)
  if (status !== 'succeeded') throw new Error(`The pull request of ${name} ${status}`)
}

function startClock() {
  const since = performance.now()
  const clock: Clock = { clicks: 0, fields: 0, seconds: 0 }
  return {
    press: async (button: Locator): Promise<void> => {
      clock.clicks += 1
      await button.click()
    },
    /** A click opens the list, another one chooses. */
    choose: async (list: Locator, value: string): Promise<void> => {
      clock.clicks += 2
      await list.selectOption(value)
    },
    fill: async (field: Locator, text: string): Promise<void> => {
      clock.fields += 1
      await field.fill(text)
    },
    read: (): Clock => ({ ...clock, seconds: (performance.now() - since) / 1000 }),
  }
}

/** Of the repository's settings at the git host. */
async function startHostPage(addKey: (key: string) => void) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const key = new URLSearchParams(Buffer.concat(chunks).toString()).get('key')
    if (key !== null) addKey(key)
    response.writeHead(200, { 'content-type': 'text/html' }).end(SETTINGS)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const SETTINGS = `<!doctype html><title>Settings</title>
<form method="post"><label>Key <input name="key"></label><button>Add key</button></form>
<form method="post"><label>URL <input name="url"></label><label>Secret <input name="secret"></label><button>Add webhook</button></form>`
