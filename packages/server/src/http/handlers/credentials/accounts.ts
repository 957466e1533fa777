// Requests about accounts as a whole, and about all organizations.
import { sameEmailKey } from '@shipway/api/values/email'
import { demandPlatformAdmin } from '../../../domain/people/permissions.ts'
import { deleteMe, deleteUser } from '../../../operations/people/delete-user.ts'
import { listOrganizationSummaries } from '../../../store/people/organization-summaries.ts'
import { findAccountByEmail, findProfile, listProfiles } from '../../../store/people/users.ts'
import { deviceOf } from '../../device-cookie.ts'
import type { Handlers } from '../../handler.ts'
import { linkNext, pageRequest } from '../../page.ts'
import { presentAccount, presentOrganizationSummary } from '../../present/account.ts'

export const accountHandlers = {
  findAccounts: async ({ ctx, actor, query: { email, ...page }, request }) => {
    demandPlatformAdmin(actor)
    if (email === undefined) {
      const { items, next } = await listProfiles(ctx.db, pageRequest(page))
      return { body: items.map(presentAccount), headers: linkNext(request, next) }
    }
    const account = await findAccountByEmail(ctx.db, sameEmailKey(email))
    const profile = account && (await findProfile(ctx.db, account.id))
    return { body: profile ? [presentAccount(profile)] : [] }
  },
  listAllOrganizations: async ({ ctx, actor, query, request }) => {
    demandPlatformAdmin(actor)
    const { items, next } = await listOrganizationSummaries(ctx.db, pageRequest(query))
    return { body: items.map(presentOrganizationSummary), headers: linkNext(request, next) }
  },
  deleteUser: async ({ ctx, actor, params, body }) => {
    await deleteUser(ctx, actor, { userId: params.id, newOwnerId: body?.new_owner_id })
    return {}
  },
  deleteMe: async ({ ctx, actor, body, request }) => {
    const proof = { password: body.password, otp: body.otp, device: deviceOf(ctx, request) }
    await deleteMe(ctx, actor, { proof, newOwnerId: body.new_owner_id })
    return {}
  },
} satisfies Handlers
