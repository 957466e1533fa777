// Requests about accounts as a whole.
import { sameEmailKey } from '@shipway/api/values/email'
import { demandPlatformAdmin } from '../../../domain/people/permissions.ts'
import { deleteMe, deleteUser } from '../../../operations/people/delete-user.ts'
import { findAccountByEmail, findProfile } from '../../../store/people/users.ts'
import { deviceOf } from '../../device-cookie.ts'
import type { Handlers } from '../../handler.ts'
import { presentAccount } from '../../present/account.ts'

export const accountHandlers = {
  findAccounts: async ({ ctx, actor, query }) => {
    demandPlatformAdmin(actor)
    const account = await findAccountByEmail(ctx.db, sameEmailKey(query.email))
    const profile = account && (await findProfile(ctx.db, account.id))
    return { body: profile ? [presentAccount(profile)] : [] }
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
