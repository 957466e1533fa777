// What is told in a corner may hold a link, and the page stays whole.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowserApart, PATIENCE_MS, visit } from './browser.ts'
import { openStage, type Person, type Stage, stageOwner } from './stage.ts'

let stage: Stage
let browser: Browser
let maren: Person
let projectId: number

beforeAll(async () => {
  stage = await openStage()
  browser = await openBrowserApart()
  const { owner, project } = await stageOwner(stage, { name: 'bookshop', domain: 'books.localhost' })
  maren = owner
  project.commit('main', 'good', 'Round prices after tax')
  await project.environment('staging', 'main')
  projectId = project.id
}, PATIENCE_MS)

afterAll(async () => {
  await browser?.close()
  await stage?.stop()
})

test(
  'a deployment that is started in a list is told of, with a link to it',
  async () => {
    const { page, complaints, close } = await visit(browser, stage.url, { person: maren })
    await page.goto(`/projects/${projectId}`)
    await page.getByRole('button', { name: 'Deploy staging' }).click()
    await page.getByRole('link', { name: /^Deployment #\d+$/ }).click()
    await page.getByRole('heading', { name: /^Deployment #\d+$/, level: 1 }).waitFor()
    expect(complaints).toEqual([])
    await close()
  },
  PATIENCE_MS,
)
