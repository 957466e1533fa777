// Where an action runs: in the container that serves, or in the folder of the release that does.

import type { Folders } from '../../deployment/folders.ts'
import type { StepIo } from '../../deployment/run.ts'
import { CheckFailed } from '../../domain/tasks/step-fault.ts'
import { accountRelease } from '../../remote/accounts/account.ts'
import { type Container, listContainers } from '../../runtimes/compose/containers/list-containers.ts'
import { findAccount } from '../manual/command-account.ts'
import type { ActionRun, ActionTarget } from './action-run.ts'

export async function findTarget(io: StepIo, what: ActionRun, folders: Folders): Promise<ActionTarget> {
  return what.recipe === 'docker' ? findContainer(io, what) : findRelease(io, what, folders)
}

async function findContainer({ host, say }: StepIo, what: ActionRun): Promise<ActionTarget> {
  const { action, deployment, servingTaskId } = what
  const running = (await listContainers(host, deployment.ids)).filter(({ status }) => status === 'running')
  const service = action.service ?? action.mainService ?? onlyService(running)
  const own = running.filter((container) => container.service === service).toSorted((a, b) => b.task - a.task)
  // What a deployment under way has started beside it serves nobody yet; what it has put in its place is all there is.
  const container = own.find(({ task }) => task <= servingTaskId) ?? own[0]
  if (!container || service === undefined) throw CheckFailed(noContainer(service, running))
  say(`In the container ${container.id.slice(0, 12)} of ${service}`)
  return { type: 'container', id: container.id, service }
}

function onlyService(containers: readonly Container[]): string | undefined {
  const [only, ...others] = new Set(containers.map(({ service }) => service))
  return others.length === 0 ? only : undefined
}

function noContainer(service: string | undefined, running: readonly Container[]): string {
  const names = [...new Set(running.map((container) => container.service))].sort()
  if (names.length === 0) return 'No container of this environment runs. Deploy it, and run the action again'
  const choice = `These run: ${names.join(', ')}`
  return service === undefined
    ? `The action does not say in which service it runs. Name one with service in .service.yml. ${choice}`
    : `No container of the service ${service} runs. ${choice}`
}

async function findRelease({ host, say }: StepIo, what: ActionRun, folders: Folders): Promise<ActionTarget> {
  const folder = `${folders.releases}/${what.servingTaskId}`
  const { exitCode } = await host.run(['test', '-d', folder])
  if (exitCode !== 0)
    throw CheckFailed('The folder of the release is not on the server any more. Deploy again, and run the action then')
  const account = await findAccount(host, what.deployment, folder)
  if (account === 'gone')
    throw CheckFailed('The user of the environment was removed with its files. Deploy again, and run the action then')
  const place = account
    ? { folder: accountRelease(account, what.servingTaskId), configFolder: folder, account }
    : { folder }
  say(`In ${place.folder}`)
  return { type: 'release', ...place }
}
