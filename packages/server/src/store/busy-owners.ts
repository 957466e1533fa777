// Projects and organizations that have as much work under way as they may have: others come first.
import { type RawBuilder, sql } from 'kysely'
import { idList } from './id-list.ts'

export type BusyOwners = { readonly projects: readonly number[]; readonly organizations: readonly number[] }

export const NONE_BUSY: BusyOwners = { projects: [], organizations: [] }

/** A condition on `p`, the row of a project. */
export const isFree = ({ projects, organizations }: BusyOwners): RawBuilder<boolean> =>
  sql`p.id not in (${idList(projects)}) and p.organization_id not in (${idList(organizations)})`
