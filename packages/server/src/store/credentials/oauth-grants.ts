// Sign-ins of the command line: each grant with the facts of its codes and tokens.
import type { Kysely } from 'kysely'
import type { Tables } from '../tables/tables.ts'

export type OauthGrant = {
  readonly digest: string
  readonly createdAt: number
  /** When it was last given a token; null before the first. */
  readonly renewedAt: number | null
  /** When the last of its codes and tokens ends that can still be used, or the grant itself. */
  readonly endsAt: number
  /** Of the device; null for one that was let in before addresses were kept. */
  readonly address: string | null
}

/** Valid ones, last used first. */
export async function listOauthGrants(
  db: Kysely<Tables>,
  { userId, now, limit }: { readonly userId: number; readonly now: number; readonly limit: number },
): Promise<readonly OauthGrant[]> {
  const rows = await db
    .selectFrom('oauth_records as g')
    .innerJoin('oauth_records as r', 'r.grant_digest', 'g.id_digest')
    .where('g.kind', '=', 'Grant')
    .where('g.user_id', '=', userId)
    .where((eb) => eb.or([eb('g.expires_at', 'is', null), eb('g.expires_at', '>', now)]))
    .where('r.kind', '!=', 'Grant')
    .groupBy(['g.kind', 'g.id_digest'])
    .select(['g.id_digest', 'g.created_at', 'g.expires_at', 'g.payload'])
    .select((eb) => [
      eb.fn
        .max<number | null>(
          eb.case().when('r.kind', 'in', ['AccessToken', 'RefreshToken']).then(eb.ref('r.created_at')).end(),
        )
        .as('renewed_at'),
      eb.fn
        .max<number | null>(eb.case().when('r.consumed_at', 'is', null).then(eb.ref('r.expires_at')).end())
        .as('ends_at'),
    ])
    .having((eb) =>
      eb(eb.fn.max(eb.case().when('r.consumed_at', 'is', null).then(eb.ref('r.expires_at')).end()), '>', now),
    )
    .orderBy('renewed_at', 'desc')
    .orderBy('g.created_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => {
    const payload: { address?: string } = JSON.parse(row.payload)
    return {
      digest: row.id_digest,
      createdAt: row.created_at,
      renewedAt: row.renewed_at,
      endsAt: Math.min(row.ends_at ?? 0, row.expires_at ?? Number.POSITIVE_INFINITY),
      address: payload.address ?? null,
    }
  })
}
