// The docker recipe: images first, then new containers beside the old ones, one change of the routes, and the old ones last.
import { posix } from 'node:path'
import type { ComposeProject } from '../../commands/docker.ts'
import { CheckFailed } from '../../domain/step-fault.ts'
import { writeSecretFile } from '../../remote/write-secret-file.ts'
import { Secret } from '../../secrets/secret.ts'
import { type Deployment, type Folders, foldersOf } from '../deployment.ts'
import { checkDomains, connect, fetchSource, type NamedService, readConfig } from '../prepare.ts'
import type { DoStep, Run } from '../run.ts'
import { transferSource } from '../transfer.ts'
import { writeVariables } from '../write-variables.ts'
import { checkModel, modelOf } from './check-model.ts'
import { removeOldVersion } from './containers/clean-up.ts'
import { startServices } from './containers/start.ts'
import { type ComposeFiles, findComposeFiles } from './find-compose-files.ts'
import { provideImages, pullImages } from './images/provide-images.ts'
import { composeProjectName } from './names.ts'
import { planStart } from './plan.ts'

export async function deployDocker(run: Run, deployment: Deployment): Promise<void> {
  let durableSteps = 0
  const { sha, services, files, slots, folders } = await run.phase('Prepare', async (step) => {
    const sha = await fetchSource(step, deployment)
    const config = await readConfig(step, deployment, { sha, recipe: 'docker' })
    const services = await checkDomains(step, deployment, config.services)
    const files = await findComposeFiles(step, deployment, { sha, config })
    const home = await connect(step)
    const slots = await step('Allot ports', () => deployment.allotSlots(namesOf(services)))
    return { sha, services, files, slots, folders: foldersOf(deployment.serverFolder(home), deployment) }
  })
  const nextFolder = (): string => folders.step(++durableSteps)
  await run.phase('Transfer', async (step) => {
    await transferSource(step, deployment, { sha, folders })
    await writeVariables(step, deployment, folders)
  })
  const project = projectOf(deployment, files, folders)
  const overridden = { ...project, files: [...project.files, folders.override] }
  const readModel = modelOf(project)
  await run.phase('Build', (step) =>
    buildPhase(step, { deployment, sha, services, files, folders, project, readModel, nextFolder }),
  )
  const plan = await run.phase('Start', async (step) => {
    const planning = { deployment, project, readModel, services, slots, overrideFile: folders.override }
    const plan = await step('Plan services', (io) => planStart(io, planning))
    const domains = new Map(services.map(({ service, domain }) => [service.name, domain]))
    await startServices(step, { deployment, project: overridden, plan, domains, folders, nextFolder })
    return plan
  })
  await run.phase('Switch', (step) =>
    step('Switch routes', async ({ say }) => {
      const ports = new Map(plan.map(({ name, port }) => [name, port]))
      const routes = services.map(({ service, domain }) => ({
        // A domain that is not the environment's own must be claimed, and can be another's.
        ...{ service: domain === deployment.environment.domain ? '' : service.name, domain },
        port: ports.get(service.name) ?? 0,
      }))
      await deployment.switchRoutes(routes)
      for (const { domain, port } of routes) say(`${domain} leads to port ${port}`)
    }),
  )
  await run.phase('Clean up', (step) => removeOldVersion(step, deployment, { plan, folders }))
}

const namesOf = (services: readonly NamedService[]): string[] => services.map(({ service }) => service.name)

function projectOf(deployment: Deployment, files: ComposeFiles, folders: Folders): ComposeProject {
  const [first = ''] = files.type === 'files' ? files.files : []
  return {
    name: composeProjectName(deployment.ids),
    // As Compose itself has it: paths are relative to where the first file lies.
    directory: posix.join(folders.release, posix.dirname(first)),
    files: files.type === 'files' ? files.files.map((file) => `${folders.release}/${file}`) : [folders.generated],
    variablesFile: folders.variables,
  }
}

type Building = {
  readonly deployment: Deployment
  readonly sha: string
  readonly services: readonly NamedService[]
  readonly files: ComposeFiles
  readonly folders: Folders
  readonly project: ComposeProject
  readonly readModel: ReturnType<typeof modelOf>
  readonly nextFolder: () => string
}

async function buildPhase(step: DoStep, building: Building): Promise<void> {
  const { deployment, sha, folders, nextFolder } = building
  const { built, isPulled } = await checkStep(step, building)
  const buildFolder = nextFolder()
  const pullFolder = nextFolder()
  if (built.length > 0) {
    const isSameCommit = deployment.live?.commitSha === sha
    const from = deployment.rollbackTo ?? (isSameCommit ? (deployment.live?.taskId ?? null) : null)
    await provideImages(step, deployment, {
      ...{ services: built, from, serverFolder: folders.server },
      ...{ readModel: building.readModel, folder: buildFolder, inlineFileOf: folders.inlineFile },
    })
  }
  if (isPulled) await pullImages(step, { readModel: building.readModel, folder: pullFolder })
}

function checkStep(step: DoStep, building: Building): Promise<{ built: string[]; isPulled: boolean }> {
  const { deployment, services, files, folders, project, readModel } = building
  return step('Check the compose file', async ({ host }) => {
    const withoutPort = services.filter(({ service }) => service.port === null)
    if (withoutPort.length > 0) {
      throw CheckFailed(`These services need a port in .service.yml: ${namesOf(withoutPort).join(', ')}`)
    }
    if (files.type === 'generated')
      await writeSecretFile(host, folders.generated, { content: new Secret(JSON.stringify(files.document)) })
    const model = await readModel(host)
    checkModel(model, { project, checkout: folders.release, deployment, links: files.links, routed: namesOf(services) })
    const all = [...model.services.values()]
    return {
      built: all.filter(({ build }) => build !== null).map(({ name }) => name),
      isPulled: all.some(({ build }) => build === null),
    }
  })
}
