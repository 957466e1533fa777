// Open pages show whether an environment answers, without a reload.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { expect, test } from 'vitest'
import { ended } from '../journey.ts'
import { TIMEOUT_MS } from './browser.ts'
import { useTestDashboard } from './test-dashboard.ts'

const dashboard = useTestDashboard()

test('open pages show that a service stopped, and that it answers again', { timeout: TIMEOUT_MS }, async () => {
  const { owner, project, platform } = dashboard
  project.commit('main', 'good', 'Sell books')
  const id = await project.environment('production', 'main')
  const taskId = await project.deploy(id)
  expect(await ended(owner.client, taskId)).toMatchObject({ status: 'succeeded' })
  const log = await owner.client.readTaskLog({ params: { id: taskId } })
  const port = Number(/leads to port ([0-9]+)/.exec(log)?.[1])
  const others: Server[] = []
  try {
    const { page, consoleErrors, close } = await dashboard.open(`/environments/${id}`)
    page.setDefaultTimeout(TIMEOUT_MS)
    const services = page.getByLabel('Services')
    await services.getByText('Running', { exact: true }).waitFor()
    await page.getByRole('main').getByText('Live', { exact: true }).first().waitFor()

    await platform.lifeline.cut()
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
    others.push(await listenOn(port))
    await page.getByText(/^Nothing changed for visitors: [0-9a-f]{7} still serves \(checked just now\)\.$/).waitFor()
    expect(consoleErrors).toEqual([])
    await close()
  } finally {
    await Promise.all(others.map(stop))
  }
})

async function listenOn(port: number): Promise<Server> {
  const server = createServer((_, res) => res.end('books')).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function stop(server: Server): Promise<void> {
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
}
