// Makes what the plan says. Each part is found again by a second run, so an import that was interrupted goes on.
import { randomUUID } from 'node:crypto'
import type { Client, NewProjectBody } from '@shipway/api'
import type { Context } from '../context.ts'
import { failureOf } from '../failure.ts'
import { isApiError } from '../http/api-failure.ts'
import { sendIdempotent } from '../http/send-idempotent.ts'
import { say } from '../report.ts'
import { plainText } from '../terminal/sanitize.ts'
import type { LeftBehind, Plan, PlannedEnvironment, PlannedProject } from './plan.ts'

export type MadeProject = {
  readonly id: number
  readonly name: string
  /** To add at the git host, where no connection does it; the secret is shown this once. */
  readonly toAdd: { readonly key: string; readonly url: string; readonly secret: string } | undefined
}

type Where = { readonly organizationId: number; readonly serverIds: readonly number[] }

/** What of the plan is done, also if the rest fails. */
export type Applied = { readonly made: MadeProject[]; readonly refused: LeftBehind[] }

/** What the platform refuses of one project or environment does not keep the others away. */
export async function applyPlan(
  ctx: Context,
  client: Client,
  plan: Plan,
  { where, applied }: { readonly where: Where; readonly applied: Applied },
): Promise<void> {
  for (const project of plan.projects) {
    const ensured = await orRefused(applied, project.name, () => ensureProject(client, project, where))
    if (!ensured) continue
    const { id, made } = ensured
    if (made) {
      applied.made.push({ ...made, id })
      say(ctx, `Created the project ${plainText(project.name)}`)
    }
    for (const environment of project.environments)
      await orRefused(applied, `${project.name} / ${environment.name}`, () =>
        ensureEnvironment(ctx, client, { id, project, environment }),
      )
  }
}

async function orRefused<Result>(
  { refused }: Applied,
  what: string,
  make: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await make()
  } catch (error) {
    if (!isApiError(error) || (error.status !== 409 && error.status !== 422)) throw error
    const { sentence, advice } = failureOf(error, false)
    refused.push({ app: what, sentence: [sentence, ...advice.map((line) => line.trim())].join('. ') })
    return undefined
  }
}

type Ensured = { readonly id: number; readonly made?: Omit<MadeProject, 'id'> }

async function ensureProject(client: Client, project: PlannedProject, where: Where): Promise<Ensured> {
  const { existing, connected, customDomains } = project
  if (existing) {
    if (customDomains.length > 0)
      await client.updateProject({
        params: { id: existing.id },
        body: { custom_domains: [...existing.custom_domains, ...customDomains] },
      })
    return { id: existing.id }
  }
  const branch = project.environments[0]?.branch
  const body: NewProjectBody = {
    name: project.name,
    domain: project.domain,
    server_ids: [...where.serverIds],
    organization_id: where.organizationId,
    custom_domains: [...customDomains],
    ...(branch !== undefined && { default_branch: branch }),
    ...(connected
      ? { connection_id: connected.connection.id, repository: connected.repository }
      : { repo_url: project.repository }),
  }
  const created = await client.createProject({ body })
  const toAdd = connected
    ? undefined
    : { key: created.repository_key, url: created.webhook.url, secret: created.webhook.secret }
  return { id: created.id, made: { name: created.name, toAdd } }
}

type Part = { readonly id: number; readonly project: PlannedProject; readonly environment: PlannedEnvironment }

async function ensureEnvironment(ctx: Context, client: Client, { id, project, environment }: Part): Promise<void> {
  const { name, branch, domain, existing, variables } = environment
  const where = `${plainText(project.name)} / ${plainText(name)}`
  // Its first deployment comes by hand: nothing is deployed before the variables are there.
  const { id: environmentId } =
    existing ??
    (await client.createEnvironment({
      params: { id },
      body: { name, branch, ...(domain !== undefined && { domain }) },
    }))
  if (!existing) say(ctx, `Created ${where}`)
  const count = Object.keys(variables.set).length
  if (count === 0) return
  const idempotencyKey = randomUUID()
  const request = { params: { id: environmentId }, body: { set: variables.set }, idempotencyKey }
  await sendIdempotent(() => client.changeVariables(request), ctx.signal)
  say(ctx, `Set ${count} ${count === 1 ? 'variable' : 'variables'} of ${where}`)
}
