// Deletes an account: by a platform administrator, or by the person, with the password.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demandPlatformAdmin } from '../../domain/people/permissions.ts'
import { changeWithPassword, type PasswordProof } from '../second-factor/change-with-password.ts'
import { eraseUser } from './erase-user.ts'

type Deletion = { readonly userId: number; readonly newOwnerId: number | undefined }

export async function deleteUser(ctx: Context, actor: Actor, deletion: Deletion): Promise<void> {
  demandPlatformAdmin(actor)
  await ctx.change(actor, (tx) => eraseUser(tx, { ...deletion, at: ctx.clock() }))
}

type OwnDeletion = { readonly proof: PasswordProof; readonly newOwnerId: number | undefined }

export async function deleteMe(ctx: Context, actor: Actor, { proof, newOwnerId }: OwnDeletion): Promise<void> {
  await changeWithPassword(ctx, { actor, proof }, (tx) =>
    eraseUser(tx, { userId: actor.userId, newOwnerId, at: ctx.clock() }),
  )
}
