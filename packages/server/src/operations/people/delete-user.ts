// Deletes an account: by a platform administrator, or by the person, with the password.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demandPlatformAdmin } from '../../domain/people/permissions.ts'
import { changeWithProof, type Proof } from '../second-factor/change-with-proof.ts'
import { eraseUser } from './erase-user.ts'

type Deletion = { readonly userId: number; readonly newOwnerId: number | undefined }

export async function deleteUser(ctx: Context, actor: Actor, deletion: Deletion): Promise<void> {
  demandPlatformAdmin(actor)
  await ctx.change(actor, (tx) => eraseUser(tx, { ...deletion, at: ctx.clock() }))
}

type OwnDeletion = { readonly proof: Proof; readonly newOwnerId: number | undefined }

export async function deleteMe(ctx: Context, actor: Actor, { proof, newOwnerId }: OwnDeletion): Promise<void> {
  await changeWithProof(ctx, { actor, proof }, (tx) =>
    eraseUser(tx, { userId: actor.userId, newOwnerId, at: ctx.clock() }),
  )
}
