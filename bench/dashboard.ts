// The dashboard in a real Chromium: how soon a printed line is on the page, what the first load weighs and takes, whether a long
// output scrolls, and whether a flood of output or of service logs blocks the page. `npm run bench -- dashboard`.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { type OpenPage, openBrowser, openPage, waitUntilLoaded } from '../e2e/dashboard/browser.ts'
import { playOutput } from '../e2e/dashboard/play-output.ts'
import {
  createOwner,
  type Person,
  startTestPlatform,
  type TestPlatform,
  type TestProject,
} from '../e2e/dashboard/test-platform.ts'
import { ended } from '../e2e/journey.ts'
import { percentile } from './request-times.ts'
import { median, type Verdict } from './verdict.ts'

const PAGES = 20
const DEPLOYMENTS = 5
const LOADS = 5
const LONG_LINES = 100_000

export async function benchDashboard(): Promise<readonly Verdict[]> {
  execFileSync(process.execPath, [fileURLToPath(new URL('../packages/web/build.ts', import.meta.url)), '--quiet'])
  const platform = await startTestPlatform({ SHIPWAY_MOST_TASKS_PER_SERVER: String(DEPLOYMENTS) })
  const browser = await openBrowser()
  try {
    const { owner: person, project } = await createOwner(platform)
    project.commit('main', 'good', 'Begin')
    const scene = { platform, browser, person, project }
    return [
      ...(await measureLoad(scene)),
      await measureDelay(scene),
      await measureScrolling(scene),
      await measureFlood(scene),
      ...(await measureLogs(scene)),
    ]
  } finally {
    await browser.close()
    await platform.stop()
  }
}

type Scene = {
  readonly platform: TestPlatform
  readonly browser: Browser
  readonly person: Person
  readonly project: TestProject
}

/** The page with the list of projects, with nothing in the cache of the browser, on a processor that is four times as slow. */
async function measureLoad({ platform, browser, person }: Scene): Promise<readonly Verdict[]> {
  const paints: number[] = []
  let bytes = 0
  for (let load = 0; load < LOADS; load++) {
    const { page, context, close } = await openPage(browser, platform.url, { person })
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await page.goto('/')
    await waitUntilLoaded(page)
    paints.push(await page.evaluate(largestPaint))
    bytes = await page.evaluate(scriptBytes)
    await close()
  }
  return [
    {
      what: 'script of the first load of the dashboard, compressed',
      figure: bytes / 1024 / 1024,
      unit: 'MB',
      atMost: 200 / 1024,
      detail: `${(bytes / 1024).toFixed(0)} KB, of at most 200`,
    },
    {
      what: 'largest paint of the dashboard on a processor four times as slow',
      figure: median(paints) / 1000,
      unit: 's',
      atMost: 1.5,
      detail: `${paints.map((ms) => ms.toFixed(0)).join(' ')} ms`,
    },
  ]
}

function largestPaint(): Promise<number> {
  return new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({
      type: 'largest-contentful-paint',
      buffered: true,
    })
  })
}

const scriptBytes = (): number =>
  performance
    .getEntriesByType('resource')
    .filter((entry) => entry instanceof PerformanceResourceTiming && /\.js$/.test(new URL(entry.name).pathname))
    .reduce((sum, entry) => sum + (entry instanceof PerformanceResourceTiming ? entry.encodedBodySize : 0), 0)

async function measureDelay({ platform, browser, person, project }: Scene): Promise<Verdict> {
  const { client } = person
  project.commit('clock', 'clock', 'Print the time')
  const environmentIds: number[] = []
  for (let count = 1; count <= DEPLOYMENTS; count++)
    environmentIds.push(await project.environment(`clock-${count}`, 'clock'))
  // Each in a window of its own: what lies behind another page of its window is drawn once a second.
  const open = async (path: string): Promise<OpenPage> => {
    const visited = await openPage(browser, platform.url, { person })
    await visited.page.addInitScript(noteTimes)
    await visited.page.goto(path)
    return visited
  }
  const paths = ['/', `/projects/${project.id}`, ...environmentIds.map((id) => `/environments/${id}`)]
  const others: OpenPage[] = []
  while (others.length < PAGES - DEPLOYMENTS) others.push(await open(paths[others.length % paths.length] ?? '/'))
  const tasks: { readonly id: number; readonly environmentId: number }[] = []
  for (const id of environmentIds)
    tasks.push({ id: (await client.startDeployment({ params: { id } })).id, environmentId: id })
  const watching: OpenPage[] = []
  for (const { id, environmentId } of tasks) watching.push(await open(`/environments/${environmentId}/tasks/${id}`))
  for (const { page } of watching)
    await page.evaluate(() => {
      noted.begunAt = Date.now()
    })
  for (const { id } of tasks) await ended(client, id, 180)
  const delays: number[] = []
  for (const { page } of watching) delays.push(...(await page.evaluate(() => Object.values(noted.delays))))
  for (const { close } of [...others, ...watching]) await close()
  if (delays.length < DEPLOYMENTS * 20) throw new Error(`Only ${delays.length} lines were seen`)
  const [p50, p95] = [0.5, 0.95].map((share) => Math.round(percentile(delays, share)))
  return {
    what: `from a line on the server to the page of its deployment, p95 of ${DEPLOYMENTS} among ${PAGES} open pages`,
    figure: percentile(delays, 0.95) / 1000,
    unit: 's',
    atMost: 0.15,
    detail: `${delays.length} lines, p50 ${p50} ms, p95 ${p95} ms`,
  }
}

declare const noted: { readonly delays: Record<string, number>; begunAt: number }

/** Runs in the page: the first moment at which each printed time is in the document. Lines from before all pages were open do not count. */
function noteTimes(): void {
  const kept = { delays: {} as Record<string, number>, begunAt: Number.POSITIVE_INFINITY }
  Object.assign(globalThis, { noted: kept })
  new MutationObserver(() => {
    const now = Date.now()
    for (const [, time = ''] of (document.querySelector('[role=log]')?.textContent ?? '').matchAll(
      /printed at (\d{13})/g,
    ))
      if (Number(time) > kept.begunAt) kept.delays[time] ??= now - Number(time)
  }).observe(document, { subtree: true, childList: true, characterData: true })
}

async function measureScrolling({ platform, browser, person, project }: Scene): Promise<Verdict> {
  project.commit('long', 'long', 'Print much')
  const environmentId = await project.environment('long', 'long')
  const taskId = await project.deploy(environmentId)
  const { page, close } = await openPage(browser, platform.url, { person })
  await page.goto(`/environments/${environmentId}/tasks/${taskId}`)
  await page
    .getByRole('button', { name: /^Release/ })
    .first()
    .click()
  await page
    .getByText(/\b100.?\d{3} lines/)
    .first()
    .waitFor()
  const { frames, heap } = await page.evaluate(scrollThrough)
  await close()
  const slow = percentile(frames, 0.95)
  return {
    what: `frames a second while ${LONG_LINES} lines are scrolled through, at p95 of the pauses between frames`,
    figure: 1000 / slow,
    atLeast: 50,
    detail: `${frames.length} frames, p50 ${percentile(frames, 0.5).toFixed(1)} ms, p95 ${slow.toFixed(1)} ms, ${(heap / 1e6).toFixed(0)} MB of heap`,
  }
}

/** Fifty thousand lines at once on a page that follows them: how long the page cannot be used. */
async function measureFlood({ platform, browser, person, project }: Scene): Promise<Verdict> {
  const gate = join(platform.folder, 'flood')
  project.commit('flood', 'gated-flood', 'Print much at once')
  const environmentId = await project.environment('flood', 'flood')
  await person.client.changeVariables({ params: { id: environmentId }, body: { set: { GATE: gate } } })
  const { id } = await person.client.startDeployment({ params: { id: environmentId } })
  const { page, close } = await openPage(browser, platform.url, { person })
  await page.goto(`/environments/${environmentId}/tasks/${id}`)
  await page
    .getByText(/^line \d+ before the gate$/)
    .first()
    .waitFor()
  await page.evaluate(noteLongTasks)
  writeFileSync(gate, '')
  await ended(person.client, id, 180)
  await page.getByText(/\b50.?\d{3} lines/).waitFor()
  const tasks = await page.evaluate(() => longTasks)
  await close()
  const longest = Math.max(0, ...tasks)
  return {
    what: 'longest task of the page of a deployment while it prints 50,000 lines at once',
    figure: longest / 1000,
    unit: 's',
    atMost: 0.1,
    detail: `${tasks.length} of more than 50 ms, the longest ${longest.toFixed(0)} ms`,
  }
}

/** A hundred thousand lines of service logs, as fast as the page takes them, then scrolled through. */
async function measureLogs({ platform, browser, person, project }: Scene): Promise<readonly Verdict[]> {
  const environmentId = await project.environment('logs', 'main')
  await project.deploy(environmentId)
  const { page, close } = await openPage(browser, platform.url, { person })
  const output = await playOutput(page, environmentId)
  await page.goto(`/environments/${environmentId}/logs`)
  const request = await output.next()
  request.confirm()
  await page.evaluate(noteLongTasks)
  const text = 'answered with 200 in 12 ms, as services print when they are asked to be verbose'
  for (let first = 0; first < LONG_LINES; first += 500) {
    const numbers = Array.from({ length: 500 }, (_, index) => first + index)
    request.print(
      numbers.map((ms) => ({ ms, service: ms % 3 === 0 ? 'worker' : 'web', text: `request ${ms} ${text}` })),
    )
    // More than the client keeps waiting would make it reconnect.
    if (first % 5_000 === 4_500) await page.getByText(`request ${first + 499} `).waitFor()
  }
  const tasks = await page.evaluate(() => longTasks)
  const longest = Math.max(0, ...tasks)
  await page.getByRole('button', { name: 'Following' }).click()
  const { frames, heap } = await page.evaluate(scrollThrough)
  await close()
  const slow = percentile(frames, 0.95)
  return [
    {
      what: `longest task of the Logs tab while ${LONG_LINES} lines come`,
      figure: longest / 1000,
      unit: 's',
      atMost: 0.1,
      detail: `${tasks.length} of more than 50 ms, the longest ${longest.toFixed(0)} ms`,
    },
    {
      what: `frames a second while ${LONG_LINES} lines of the Logs tab are scrolled through, at p95 of the pauses between frames`,
      figure: 1000 / slow,
      atLeast: 50,
      detail: `${frames.length} frames, p95 ${slow.toFixed(1)} ms, ${(heap / 1e6).toFixed(0)} MB of heap`,
    },
  ]
}

declare const longTasks: number[]

/** Runs in the page. */
function noteLongTasks(): void {
  const kept: number[] = []
  Object.assign(globalThis, { longTasks: kept })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) kept.push(duration)
  }).observe({ type: 'longtask' })
}

/** Runs in the page: five seconds through the whole output, a piece with every frame. */
async function scrollThrough(): Promise<{ frames: number[]; heap: number }> {
  const log = document.querySelector('[role=log]')
  const candidates = log ? [log, ...log.querySelectorAll('*')] : []
  const scroller = candidates.find((element) => element.scrollHeight > element.clientHeight * 2) ?? log
  if (!scroller) throw new Error('There is no output on the page')
  const frames: number[] = []
  const begun = performance.now()
  let last = begun
  while (last - begun < 5_000) {
    scroller.scrollTop = (scroller.scrollHeight * (last - begun)) / 5_000
    const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
    frames.push(now - last)
    last = now
  }
  const { memory } = performance as Performance & { memory?: { usedJSHeapSize: number } }
  return { frames: frames.slice(2), heap: memory?.usedJSHeapSize ?? 0 }
}
