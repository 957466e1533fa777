// Checks that a project may have its domains, and locks them until the transaction ends.
import type { Context } from '../../context.ts'
import { projectDomainFault } from '../../domain/domain-rules.ts'
import { InvalidFields } from '../../domain/errors.ts'
import type { Change } from '../../store/change.ts'
import { listForeignDomains, lockProjectDomains } from '../../store/environments/domains.ts'

type DomainsClaim = {
  readonly organizationId: number
  readonly domain: string
  readonly customDomains: readonly string[]
}

export async function claimProjectDomains(ctx: Context, tx: Change, claim: DomainsClaim): Promise<void> {
  await lockProjectDomains(tx)
  const others = {
    dashboardHost: new URL(ctx.config.baseUrl).hostname,
    foreign: await listForeignDomains(tx, claim.organizationId),
  }
  const wanted = [
    { pointer: '/domain', domain: claim.domain },
    ...claim.customDomains.map((domain, index) => ({ pointer: `/custom_domains/${index}`, domain })),
  ]
  const faults = wanted.flatMap(({ pointer, domain }) => {
    const fault = projectDomainFault(domain, others)
    return fault ? [{ pointer, ...fault }] : []
  })
  if (faults.length > 0) throw InvalidFields(faults)
}
