// Which pull requests get an environment: set in the project's settings and by the file of the default branch of a real repository, and
// shown where people look for a missing environment.
import { expect, test } from 'vitest'
import { openHook, outcomeOf, pullRequestWas, pushTo, type SentDelivery } from '../webhooks/deliveries.ts'
import { TIMEOUT_MS } from './browser.ts'
import { useTestDashboard } from './test-dashboard.ts'

const dashboard = useTestDashboard()

type Changes = { readonly labels?: readonly string[]; readonly draft?: boolean }

test(
  'a label is asked for, missed and given, and a draft waits by the file of the default branch',
  async () => {
    const { project, owner } = dashboard
    const main = project.commit('main', 'good', 'Begin')
    const sha = project.commit('feature', 'good', 'Add a feature')
    const hook = openHook(project.webhook.url, project.webhook.secret)
    const send = async (delivery: SentDelivery) => outcomeOf(owner.client, project.id, await hook.send(delivery))
    const sendEvent = (action: string, at: number, { labels = [], draft = false }: Changes = {}) => {
      const payload = pullRequestWas('opened', { number: 7, branch: 'feature', sha, at })
      const names = labels.map((name) => ({ name }))
      const pull_request = { ...payload.pull_request, title: 'Search by title', labels: names, draft }
      return send({ event: 'pull_request', payload: { ...payload, action, pull_request } })
    }
    const settings = await dashboard.open(`/projects/${project.id}/settings`)
    const section = settings.page.getByRole('region', { name: 'Pull requests', exact: true })
    await section.getByLabel('Create environments for').selectOption('Pull requests with a label')
    await section.getByRole('button', { name: 'Save' }).click()
    await section.getByText('Name at least one label').waitFor()
    await section.getByLabel('Labels').fill('preview')
    await section.getByRole('button', { name: 'Save' }).click()
    await settings.page.getByText('Saved', { exact: true }).waitFor()

    expect(await sendEvent('opened', 0)).toMatchObject({ verdict: 'ignored', reason: 'label_missing' })
    const { page, close } = await dashboard.open(`/projects/${project.id}`)
    await page.getByText('It has no label preview').waitFor()
    // Read from the real repository, which has no rules of its own yet.
    expect((await owner.client.getProject({ params: { id: project.id } })).pull_requests_file).toEqual({
      commit_sha: main,
      rules: {},
      fault: null,
    })

    const ruled = project.commit('main', 'ruled', 'Let drafts wait')
    await send({ event: 'push', payload: pushTo('main', { before: main, after: ruled }) })
    expect(await sendEvent('labeled', 1, { labels: ['preview'], draft: true })).toMatchObject({ reason: 'draft' })
    await page.getByText('It is a draft, and waits until it is ready for review').waitFor()
    await section.getByText('drafts: false').waitFor()

    expect(await sendEvent('ready_for_review', 2, { labels: ['preview'] })).toMatchObject({
      verdict: 'accepted',
      reason: null,
    })
    await page.getByRole('link', { name: 'pr-7', exact: false }).first().waitFor()
    await expect.poll(() => page.getByText('It is a draft').count()).toBe(0)
    hook.close()
    await close()
    await settings.close()
  },
  TIMEOUT_MS,
)
