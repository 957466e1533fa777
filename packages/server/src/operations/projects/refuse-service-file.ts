// The `.service.yml` of a project's settings has to be one that a deployment could use.
import type { Recipe } from '@shipway/api/values/recipe'
import { RepositoryConfigFault } from '@shipway/rules/service-file/repository-config'
import type { Context } from '../../context.ts'
import { InvalidFields } from '../../domain/errors.ts'

type WantedFile = {
  readonly organizationId: number
  /** The one that the project will have. Environments with another recipe find faults when they are deployed. */
  readonly recipe: Recipe
  readonly content: string
}

export async function refuseServiceFile(ctx: Context, { organizationId, ...file }: WantedFile): Promise<void> {
  try {
    await ctx.repositories.checkServiceFile(organizationId, file)
  } catch (error) {
    if (!(error instanceof RepositoryConfigFault)) throw error
    throw InvalidFields(error.message.split('\n').map(toFault))
  }
}

const toFault = (detail: string) => ({ pointer: '/service_file', code: 'invalid_service_file', detail })
