// Pages that are open show whether an environment answers, without being loaded again.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ended } from '../journey.ts'
import { openBrowserApart, PATIENCE_MS, visit } from './browser.ts'
import { openStage, type Stage, stageOwner } from './stage.ts'

let stage: Stage
let browser: Browser

beforeAll(async () => {
  stage = await openStage()
  browser = await openBrowserApart()
}, PATIENCE_MS)

afterAll(async () => {
  await browser?.close()
  await stage?.stop()
})

test('a service that stops is seen where people look', { timeout: PATIENCE_MS }, async () => {
  const { owner, project } = await stageOwner(stage)
  project.commit('main', 'good', 'Sell books')
  const id = await project.environment('production', 'main')
  const taskId = await project.deploy(id)
  expect(await ended(owner.client, taskId)).toMatchObject({ status: 'succeeded' })
  const log = await owner.client.readTaskLog({ params: { id: taskId } })
  const port = Number(/leads to port ([0-9]+)/.exec(log)?.[1])
  const service = await listenOn(port)
  try {
    const { page, complaints, close } = await visit(browser, stage.url, { person: owner })
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(`/environments/${id}`)
    const services = page.getByLabel('Services')
    await services.getByText('Running', { exact: true }).waitFor()
    await page.getByRole('main').getByText('Live', { exact: true }).first().waitFor()

    await stop(service)
    await page.getByText('web does not answer.').waitFor()
    await page.getByText('Degraded', { exact: true }).first().waitFor()
    await services.getByText('Not running').waitFor()
    await page.getByRole('link', { name: 'shop', exact: true }).first().click()
    await page.getByText('web: not running').waitFor()
    await page.getByRole('main').getByText('Degraded').first().waitFor()

    project.commit('main', 'bad', 'Sell nothing')
    await ended(owner.client, await project.deploy(id))
    await page.goto(`/environments/${id}`)
    await page.getByText(/^Visitors get no answer: [0-9a-f]{7} is live/).waitFor()
    const again = await listenOn(port)
    await page.getByText(/^Nothing changed for visitors: [0-9a-f]{7} still serves \(checked just now\)\.$/).waitFor()
    await stop(again)
    expect(complaints).toEqual([])
    await close()
  } finally {
    await stop(service)
  }
})

async function listenOn(port: number): Promise<Server> {
  const server = createServer((_, res) => res.end('books')).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function stop(server: Server): Promise<void> {
  if (!server.listening) return
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
}
