// Finds an artifact for a caller who may download it, until it expires.
import type { Context } from '../../context.ts'
import { ArtifactExpired } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { findArtifact, type StoredArtifact } from '../../store/actions/artifacts.ts'
import { orNotFound } from '../or-not-found.ts'

export async function openArtifact(ctx: Context, actor: Actor, id: number): Promise<StoredArtifact> {
  const artifact = orNotFound(await findArtifact(ctx.db, actor, id), 'artifact')
  demand(actor, 'deploy', artifact.organizationId)
  if (artifact.expiresAt <= ctx.clock()) throw ArtifactExpired()
  return artifact
}
