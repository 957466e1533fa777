// A project whose organization has only its owner: enough where a test is not about people.
import { buildOrganization, buildProject, buildUser, type Records } from './factories.ts'

export async function buildOwnedProject(ctx: Records, overrides: Parameters<typeof buildProject>[2] = {}) {
  const owner = await buildUser(ctx)
  const { id: organizationId } = await buildOrganization(ctx, [{ user: owner, role: 'owner' }])
  const project = await buildProject(ctx, { organizationId, ownerId: owner.id }, overrides)
  return { ...project, owner, organizationId }
}
