// The charts of an environment: values under the pointer, one service alone, other ranges, and tables for screen readers.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TIMEOUT_MS } from './browser.ts'
import { writeSamples } from './sample-metrics.ts'
import { useTestDashboard } from './test-dashboard.ts'

const dashboard = useTestDashboard()

test('the Metrics tab says what will come, then shows each service', { timeout: TIMEOUT_MS }, async () => {
  const { owner, project, platform } = dashboard
  project.commit('main', 'good', 'Sell books')
  const id = await project.environment('production', 'main')
  const { page, consoleErrors, close } = await dashboard.open(`/environments/${id}/metrics`)
  await page.getByRole('heading', { name: 'Nothing runs yet' }).waitFor()
  await project.deploy(id)
  const [server] = await owner.client.listServers()
  writeSamples({ dataFolder: join(platform.folder, 'data'), environmentId: id, serverIds: [server?.id ?? 0] })
  await page.reload()

  const memory = page.getByRole('region', { name: 'Memory' })
  await memory.waitFor()
  await expect.poll(() => page.getByRole('region', { name: /^(CPU|Memory|Network)$/ }).count()).toBe(3)
  // For screen readers: a table of each chart, and the deployment that is a mark.
  await expect.poll(() => memory.getByRole('columnheader').allTextContents()).toEqual(['From', 'db', 'web', 'worker'])
  await expect.poll(() => memory.getByRole('row').count()).toBeGreaterThan(10)
  await memory.getByRole('listitem').getByText('Succeeded').waitFor()

  await page.getByRole('button', { name: '30 days' }).click()
  await page.waitForURL(/range=30d$/)
  await expect.poll(() => page.getByRole('button', { name: '30 days' }).getAttribute('aria-pressed')).toBe('true')
  await page.getByRole('button', { name: 'web', exact: true }).click()
  await expect.poll(() => memory.getByRole('columnheader').allTextContents()).toEqual(['From', 'web'])
  await memory.getByText('Limit 256 MiB').waitFor()
  const box = await memory.locator('svg').boundingBox()
  await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 20)
  await memory
    .getByText(/^\d+(\.\d)? MiB of 256 MiB$/)
    .first()
    .waitFor()
  await page.goto('/organizations/1/servers')
  await page.getByText(/^\d.* of \d+ cores?$/).waitFor()
  await page.getByRole('button', { name: 'Details' }).click()
  await page.getByRole('region', { name: 'Load' }).waitFor()
  expect(consoleErrors).toEqual([])
  await close()
})
