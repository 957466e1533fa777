// Finds a place for one more signed-in reader of the live channel. When all places are taken, the largest holder gives one up.

/** Whose a connection is. It counts for each organization; there is at least one, and 0 stands for none. */
export type Holder = { readonly userId: number; readonly organizationIds: readonly number[] }
type Held<Reader> = readonly [reader: Reader, holder: Holder]

export type Place<Reader> =
  | { readonly isFree: true; readonly displaces?: Reader }
  | { readonly isFree: false; readonly reason: 'user' | 'full' }

type Limits = { readonly mostReaders: number; readonly mostPerUser: number }

/** `held` has the oldest connection first. */
export function findPlace<Reader>(
  held: readonly Held<Reader>[],
  newcomer: Holder,
  { mostReaders, mostPerUser }: Limits,
): Place<Reader> {
  const own = held.filter(([, { userId }]) => userId === newcomer.userId).length
  if (own >= mostPerUser) return { isFree: false, reason: 'user' }
  if (held.length < mostReaders) return { isFree: true }
  const givesWay = organizationToGiveWay(held, newcomer)
  const [largest] = largestOf(held.filter(([, holder]) => holder.organizationIds.includes(givesWay)).map(userOf))
  if (!largest) return { isFree: false, reason: 'full' }
  const isFair = !newcomer.organizationIds.includes(givesWay) || own + 1 < largest.count
  const displaced = held.find(([, { userId }]) => userId === largest.key)
  return isFair && displaced ? { isFree: true, displaces: displaced[0] } : { isFree: false, reason: 'full' }
}

/**
 * The largest organization, where the newcomer's has at least two connections fewer; otherwise the newcomer's own. So each connection
 * that gives way makes the shares more equal: the one that was closed cannot come back and displace another in turn.
 */
function organizationToGiveWay(held: readonly Held<unknown>[], newcomer: Holder): number {
  const counts = largestOf(held.flatMap(([, { organizationIds }]) => organizationIds))
  const countOf = (id: number): number => counts.find(({ key }) => key === id)?.count ?? 0
  const own = newcomer.organizationIds.toSorted((one, other) => countOf(one) - countOf(other))
  const [smallest = 0] = own
  const [largest] = counts
  return largest && countOf(smallest) + 1 < largest.count ? largest.key : smallest
}

function largestOf(keys: readonly number[]): readonly { readonly key: number; readonly count: number }[] {
  const counts = new Map<number, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts].map(([key, count]) => ({ key, count })).sort((one, other) => other.count - one.count)
}

const userOf = ([, { userId }]: Held<unknown>): number => userId
