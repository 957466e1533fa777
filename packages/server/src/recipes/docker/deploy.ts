// The docker recipe: images first, then new containers beside the old ones, one change of the routes, and the old ones last.
import { posix } from 'node:path'
import type { ComposeProject } from '../../commands/docker/compose.ts'
import type { ComposeModel } from '../../domain/compose/model.ts'
import type { Checkout } from '../../domain/compose/mounts/checkout-path.ts'
import { pathsOfBuilds } from '../../domain/compose/mounts/used-paths.ts'
import { serviceInRoute } from '../../domain/service-domains.ts'
import { CheckFailed } from '../../domain/tasks/step-fault.ts'
import type { Host } from '../../remote/host.ts'
import { writeFile } from '../../remote/write-file.ts'
import type { Deployment } from '../deployment.ts'
import { type Folders, foldersOf } from '../folders.ts'
import { checkDomains, connect, fetchSource, type NamedService, readConfig } from '../prepare.ts'
import type { DoStep, Run } from '../run.ts'
import { transferSource } from '../transfer.ts'
import { writeVariables } from '../write-variables.ts'
import { allotSlots } from './allot-slots.ts'
import { judgeModel } from './check-model.ts'
import { removeOldVersion } from './containers/clean-up.ts'
import { startServices } from './containers/start.ts'
import { type ComposeFiles, findComposeFiles } from './find-compose-files.ts'
import { provideImages, pullImages } from './images/provide-images.ts'
import { type JudgedModel, judgedModel } from './judged-model.ts'
import { refuseLinks } from './look-at-paths.ts'
import { composeProjectName } from './names.ts'
import { planStart } from './plan.ts'
import { runnableIn } from './write-runnable.ts'

export async function deployDocker(run: Run, deployment: Deployment): Promise<void> {
  let durableSteps = 0
  const { sha, services, files, slots, folders } = await run.phase('Prepare', async (step) => {
    const sha = await fetchSource(step, deployment)
    const config = await readConfig(step, deployment, { sha, recipe: 'docker' })
    const services = await checkDomains(step, deployment, config.services)
    const files = await findComposeFiles(step, deployment, { sha, config })
    const home = await connect(step)
    const slots = await step('Allot ports', (io) => allotSlots(io, deployment, namesOf(services)))
    return { sha, services, files, slots, folders: foldersOf(deployment.serverFolder(home), deployment) }
  })
  const nextFolder = (): string => folders.step(++durableSteps)
  await run.phase('Transfer', async (step) => {
    await transferSource(step, deployment, { sha, folders })
    await writeVariables(step, deployment, folders)
  })
  const project = projectOf(deployment, files, folders)
  const checkout = { folder: folders.release, links: new Set(files.links) }
  const judged = judgedModel(folders.judged)
  const readModel = await run.phase('Build', (step) =>
    buildPhase(step, { deployment, sha, services, files, folders, project, checkout, judged, nextFolder }),
  )
  const plan = await run.phase('Start', async (step) => {
    const planning = { deployment, readModel, services, slots, folders, checkout }
    const { services: plan, digest } = await step('Plan services', (io) => planStart(io, planning))
    const domains = new Map(services.map(({ service, domain }) => [service.name, domain]))
    const runnable = runnableIn(folders, project.name, digest)
    await startServices(step, { deployment, runnable, plan, domains, folders, nextFolder })
    return plan
  })
  await run.phase('Switch', (step) =>
    step('Switch routes', async ({ say }) => {
      const ports = new Map(plan.map(({ name, port }) => [name, port]))
      const routes = services.map((named) => ({
        service: serviceInRoute(named, deployment.environment),
        domain: named.domain,
        port: ports.get(named.service.name) ?? 0,
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
  readonly checkout: Checkout
  readonly judged: JudgedModel
  readonly nextFolder: () => string
}

type ReadModel = (host: Host) => Promise<ComposeModel>

/** Gives the way to what was judged: no later step has any other. */
async function buildPhase(step: DoStep, building: Building): Promise<ReadModel> {
  const { deployment, sha, folders, checkout, judged, nextFolder } = building
  const { built, isPulled, digest } = await checkStep(step, building)
  const readModel: ReadModel = (host) => judged.read(host, digest)
  const readForBuild: ReadModel = async (host) => {
    const model = await readModel(host)
    await refuseLinks(host, folders.release, pathsOfBuilds(model, checkout))
    return model
  }
  const buildFolder = nextFolder()
  const pullFolder = nextFolder()
  if (built.length > 0) {
    const isSameCommit = deployment.live?.commitSha === sha
    const from = deployment.rollbackTo ?? (isSameCommit ? (deployment.live?.taskId ?? null) : null)
    await provideImages(step, deployment, {
      ...{ services: built, from, serverFolder: folders.server },
      ...{ readModel: readForBuild, folder: buildFolder, inlineFileOf: folders.inlineFile },
    })
  }
  if (isPulled) await pullImages(step, { readModel, folder: pullFolder })
  return readModel
}

type Checked = { readonly built: readonly string[]; readonly isPulled: boolean; readonly digest: string }

function checkStep(step: DoStep, building: Building): Promise<Checked> {
  const { deployment, services, files, folders, project, judged } = building
  return step({ key: 'Judge the compose files', name: 'Check the compose file' }, async ({ host, say }) => {
    const withoutPort = services.filter(({ service }) => service.port === null)
    if (withoutPort.length > 0) {
      throw CheckFailed(`These services need a port in .service.yml: ${namesOf(withoutPort).join(', ')}`)
    }
    if (files.type === 'generated')
      await writeFile(host, folders.generated, { content: JSON.stringify(files.document) })
    const { links, writes } = files
    const places = { checkout: folders.release, platformFolder: folders.server }
    const check = { project, ...places, deployment, links, writes, routed: namesOf(services) }
    const { model, notes } = await judgeModel(host, check)
    for (const note of notes) say(note)
    const all = [...model.services.values()]
    return {
      built: all.filter(({ build }) => build !== null).map(({ name }) => name),
      isPulled: all.some(({ build }) => build === null),
      digest: await judged.keep(host, model),
    }
  })
}
