// Connects an organization to a git host.
import { randomBytes, randomUUID } from 'node:crypto'
import { CONNECTION_TYPES, type NewConnection } from '@shipway/api/connections'
import { hostUrlFault } from '@shipway/api/values/host-url'
import type { Context } from '../../context.ts'
import type { Connection } from '../../domain/connection.ts'
import { connectionContext } from '../../domain/encryption-context.ts'
import { InUse, InvalidField } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import type { Change } from '../../store/change.ts'
import { findConnection, insertConnection, listConnections } from '../../store/connections/connections.ts'
import { findOrganization } from '../../store/people/organizations.ts'
import { orNotFound } from '../or-not-found.ts'
import { findOrganizationForUpdate } from '../people/find-organization-for-update.ts'
import { proveToken } from './prove-token.ts'

const MOST = 20

type NewOne = { readonly organizationId: number; readonly wanted: NewConnection }

export async function createConnection(
  ctx: Context,
  actor: Actor,
  { organizationId, wanted }: NewOne,
): Promise<Connection> {
  orNotFound(await findOrganization(ctx.db, actor, organizationId), 'organization')
  demand(actor, 'administer', organizationId)
  const columns = await columnsOf(ctx, organizationId, wanted)
  return ctx.change(actor, async (tx) => {
    const { actor: current } = await findOrganizationForUpdate(tx, actor, organizationId)
    demand(current, 'administer', organizationId)
    await refuseTakenName(tx, { organizationId, name: wanted.name })
    if ((await listConnections(tx, organizationId)).length >= MOST)
      throw InUse(`This organization has ${MOST} connections, which is the most. Delete one first`)
    const at = ctx.clock()
    const id = await insertConnection(tx, {
      organization_id: organizationId,
      name: wanted.name,
      ...columns,
      created_at: at,
      updated_at: at,
    })
    await tx.audit({
      organizationId,
      action: 'connection.created',
      target: { kind: 'connection', id, name: wanted.name },
    })
    return orNotFound(await findConnection(tx, actor, id), 'connection')
  })
}

/** A GitHub App has no credentials yet; the address that GitHub will send its events to exists from now on. */
async function columnsOf(ctx: Context, organizationId: number, { type, base_url, token }: NewConnection) {
  const sealId = randomUUID()
  const shared = { type, base_url: chooseBaseUrl(ctx, { type, base_url }), seal_id: sealId }
  if (type === 'github_app') {
    if (token !== undefined)
      throw InvalidField('/token', 'not_used', 'A GitHub App has no token: GitHub makes its credentials')
    return { ...shared, hook_id: randomBytes(18).toString('base64url'), status: 'pending' as const }
  }
  if (token === undefined) throw InvalidField('/token', 'required', 'Give an access token of the git host')
  const account = await proveToken(ctx, { organizationId, type, baseUrl: shared.base_url }, token)
  const token_sealed = ctx.box.seal(token, connectionContext(sealId, 'token_sealed'))
  return { ...shared, token_sealed, account, status: 'active' as const, checked_at: ctx.clock() }
}

function chooseBaseUrl(ctx: Context, { type, base_url }: Pick<NewConnection, 'type' | 'base_url'>): string {
  const { title, baseUrl } = CONNECTION_TYPES[type]
  const chosen = base_url ?? baseUrl
  if (chosen === null) throw InvalidField('/base_url', 'required', `Give the address of ${title}`)
  if (type === 'bitbucket') demandWorkspace(chosen)
  const fault = hostUrlFault(chosen, ctx.config)
  if (fault) throw InvalidField('/base_url', fault.code, fault.detail)
  return chosen
}

/** Bitbucket Cloud lists repositories of one workspace at a time. */
function demandWorkspace(baseUrl: string): void {
  const { origin, pathname } = new URL(baseUrl)
  if (origin !== 'https://bitbucket.org')
    throw InvalidField(
      '/base_url',
      'not_used',
      'Bitbucket Cloud is at https://bitbucket.org. For another address choose bitbucket_server',
    )
  if (!/^\/[\w.-]+$/.test(pathname))
    throw InvalidField(
      '/base_url',
      'no_workspace',
      'Give the address of your workspace, such as https://bitbucket.org/acme',
    )
}

type TakenName = { readonly organizationId: number; readonly name: string; readonly except?: number }

/** The caller has locked the organization. */
export async function refuseTakenName(tx: Change, { organizationId, name, except }: TakenName): Promise<void> {
  const others = (await listConnections(tx, organizationId)).filter(({ id }) => id !== except)
  if (others.some((other) => other.name === name))
    throw InvalidField('/name', 'name_taken', 'Another connection of this organization has this name')
}
