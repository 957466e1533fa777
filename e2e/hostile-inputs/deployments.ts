// A project on a platform that deploys it from a real git host: commits with anything in them, and pull requests from any branch.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Environment } from '@shipway/api/environments'
import { clientOf } from '../../packages/server/test/docker/docker-engine.ts'
import { type MailServer, startMailServer } from '../../packages/server/test/mail/mail-server.ts'
import { createOrigin, type OriginFile } from '../../packages/server/test/origin.ts'
import { beginJourney, ended, type Journey, until } from '../journey.ts'
import { openHook, outcomeOf, pullRequestWas } from '../webhooks/deliveries.ts'
import { must } from './must.ts'

export type Files = Readonly<Record<string, string | OriginFile>>

export type Deployed = Awaited<ReturnType<typeof ended>> & { readonly log: string; readonly steps: readonly string[] }

type Opened = { readonly branch: string; readonly sha: string; readonly title?: string }

export type Deployments = {
  readonly journey: Journey
  readonly mail: MailServer
  /** An environment of the branch main. */
  readonly environmentId: number
  /** Makes a commit with exactly these files. */
  commit(files: Files, branch?: string): string
  /** Commits these files to main and deploys them. */
  deploy(files: Files): Promise<Deployed>
  deployEnvironment(id: number): Promise<Deployed>
  /** A task at its end. */
  read(taskId: number): Promise<Deployed>
  /** Name and published ports of every container on the Engine. */
  containers(): Promise<readonly string[]>
  /** The task that it starts, at its end. */
  openPullRequest(opened: Opened): Promise<{ readonly environment: Environment; readonly task: Deployed }>
  send(event: 'push' | 'pull_request', payload: unknown): ReturnType<typeof outcomeOf>
  /** Different for each environment and pull request. */
  next(): number
  mustBeSound(): Promise<void>
  stop(): Promise<void>
}

/** Host name of the pages of a platform that deploys containers. */
export const DASHBOARD = 'ship.platform.test'

export async function beginDeployments(connection: 'local' | 'ssh', dockerHost?: string): Promise<Deployments> {
  const mail = await startMailServer()
  const settings = { SHIPWAY_LEAST_DISK_MIB: '1', SHIPWAY_DRAIN_SECONDS: '0', SHIPWAY_SMTP_URL: mail.url }
  const journey = await beginJourney(
    'embedded',
    connection,
    dockerHost === undefined
      ? { settings, ...(connection === 'ssh' && { letsPeopleIn: true }) }
      : { dockerHost, settings: { ...settings, SHIPWAY_BASE_URL: `http://${DASHBOARD}` } },
  )
  const { client, platform, gitHost, projectId } = journey
  const params = { id: projectId }
  await client.updateProject({ params, body: { environment_limit: 1000 } })
  const { url, secret } = await client.regenerateWebhookSecret({ params })
  const hook = openHook(`${platform.url}${new URL(url).pathname}`, secret)
  const repository = join(gitHost.folder, 'repository/.git')
  const origin = createOrigin(repository)
  const environmentId = await journey.createEnvironment('main')
  let count = 0

  const commit: Deployments['commit'] = (files, branch = 'main') => origin.commit(files, { branch })
  const read = async (taskId: number): Promise<Deployed> => {
    const task = await ended(client, taskId)
    const log = await client.readTaskLog({ params: { id: taskId } })
    return { ...task, log, steps: task.phases.flatMap(({ steps }) => steps.map(({ name }) => name)) }
  }
  const deployEnvironment: Deployments['deployEnvironment'] = async (id) =>
    read((await client.startDeployment({ params: { id } })).id)
  const send: Deployments['send'] = async (event, payload) =>
    outcomeOf(client, projectId, await hook.send({ event, payload }))
  return {
    journey,
    mail,
    environmentId,
    commit,
    deploy: (files) => {
      commit(files)
      return deployEnvironment(environmentId)
    },
    deployEnvironment,
    read,
    containers: async () => {
      if (dockerHost === undefined) throw new Error('Nothing runs in containers here')
      const list = await clientOf(dockerHost).docker('ps', '--all', '--format', '{{.Names}} {{.Ports}}')
      return list.split('\n').filter(Boolean)
    },
    openPullRequest: async ({ branch, sha, title }) => {
      const number = ++count
      execFileSync('git', [`--git-dir=${repository}`, 'update-ref', `refs/pull/${number}/head`, sha])
      const opened = pullRequestWas('opened', { number, branch, sha })
      const titled = title === undefined ? opened.pull_request : { ...opened.pull_request, title }
      const sent = await send('pull_request', { ...opened, pull_request: titled })
      must(sent.verdict === 'accepted', sent)
      const environment = await until(async () => {
        const all = await client.listEnvironments({ params, query: { limit: 200 } })
        return all.find(({ name }) => name === `pr-${number}`)
      }, `pr-${number} is made`)
      const task = await until(async () => {
        const [first] = await client.listTasks({ params: { id: environment.id } })
        return first
      }, `pr-${number} is deployed`)
      return { environment, task: await read(task.id) }
    },
    send,
    next: () => ++count,
    mustBeSound: async () => {
      must(platform.process.exitCode === null, `a platform that exited with ${platform.process.exitCode}`)
      const health = await fetch(`${platform.url}/healthz`)
      must(health.status === 200, `/healthz with ${health.status}`)
    },
    stop: async () => {
      hook.close()
      await journey.stop()
      await mail.close()
    },
  }
}
