// Chooses the server and the domain of an environment: one of the project's servers, and a domain that the project covers.
import type { Context } from '../../context.ts'
import { environmentDomainFault } from '../../domain/domain-rules.ts'
import { InvalidField } from '../../domain/errors.ts'
import type { Project } from '../../store/projects/projects.ts'

/** A server of another project or organization gives the same error as a missing one. */
export function chooseServer(project: Project, serverId: number | undefined): number {
  const found = serverId === undefined ? project.servers[0] : project.servers.find(({ id }) => id === serverId)
  if (!found) throw InvalidField('/server_id', 'not_found', 'Choose one of the servers of the project')
  return found.id
}

type DomainChoice = {
  readonly environment: { readonly name: string; readonly type: 'pull_request' | 'manual' }
  readonly domain: string
}

export function refuseDomain(ctx: Context, project: Project, { environment, domain }: DomainChoice): void {
  const dashboardHost = new URL(ctx.config.baseUrl).hostname
  const fault = environmentDomainFault(domain, { project, environment, dashboardHost })
  if (fault) throw InvalidField('/domain', fault.code, fault.detail)
}

/** Turns a violated constraint into an error for the caller; the same for every owner of the taken domain. */
export function takenError(violated: string | undefined): Error | undefined {
  if (violated === 'environments(project_id, name)') {
    return InvalidField('/name', 'taken', 'The project has an environment with this name already. Choose another')
  }
  if (violated === 'domains(domain)') return InvalidField('/domain', 'taken', 'This domain is taken. Choose another')
  return undefined
}
