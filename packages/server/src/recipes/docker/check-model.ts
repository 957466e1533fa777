// Asks Compose what the files come to, and checks all of it against what an environment may do.
import { type ComposeProject, resolveModel } from '../../commands/docker.ts'
import { checkCompose } from '../../domain/compose/check-compose.ts'
import type { ComposeModel } from '../../domain/compose/model.ts'
import { readComposeModel } from '../../domain/compose/read-compose-model.ts'
import { CheckFailed } from '../../domain/step-fault.ts'
import type { Host } from '../../remote/host.ts'
import type { Deployment } from '../deployment.ts'
import { lastLine } from './last-line.ts'

/**
 * Asked for once in a run: all steps of it have the same. The model holds values of variables, so it is never shown, and never what
 * a step hands on.
 */
export function modelOf(project: ComposeProject): (host: Host) => Promise<ComposeModel> {
  let known: ComposeModel | undefined
  return async (host) => {
    known ??= await readModel(host, project)
    return known
  }
}

async function readModel(host: Host, project: ComposeProject): Promise<ComposeModel> {
  const { exitCode, stdout, stderr } = await host.run(resolveModel(project))
  if (exitCode !== 0) throw CheckFailed(`Docker Compose cannot read this: ${lastLine(stderr)}`)
  return readComposeModel(stdout.toString())
}

type Check = {
  readonly project: ComposeProject
  readonly checkout: string
  readonly deployment: Deployment
  readonly links: readonly string[]
  /** Names of the services that `.service.yml` routes. */
  readonly routed: readonly string[]
}

export function checkModel(model: ComposeModel, { project, checkout, deployment, links, routed }: Check): void {
  const refusals = checkCompose(model, {
    checkout,
    links: new Set(links),
    variablesFile: project.variablesFile,
    projectName: project.name,
    grants: deployment.grants,
    routed: new Set(routed),
  })
  if (refusals.length > 0) throw CheckFailed(refusals.map(({ sentence }) => sentence).join('\n'))
  const missing = routed.filter((name) => !model.services.has(name))
  if (missing.length > 0) {
    throw CheckFailed(`.service.yml routes ${missing.join(', ')}, which the compose file does not have`)
  }
}
