// How the orders that an ACME authority takes from one account are shared between organizations. Let's Encrypt takes 300 in three hours:
// without a share, an organization with many names would leave the others without certificates.

export const ORDER_WINDOW_MS = 3 * 60 * 60_000
const MOST_ORDERS = 240
const MOST_OF_ORGANIZATION = 60
/** After this many, due orders are listed again, so that new ones do not wait for all others. */
const MOST_AT_ONCE = 20

export type PlacedOrder = { readonly organizationId: number; readonly at: number }

type DeferredOrder<Order> = {
  readonly order: Order
  readonly at: number
  readonly whose: 'organization' | 'installation'
}

export type SharedOrders<Order> = {
  /** To be placed now, in this order. */
  readonly now: readonly Order[]
  /** Beyond a share, with the time when there is room for it. */
  readonly later: readonly DeferredOrder<Order>[]
  /** Whether more may be placed as soon as these are. */
  readonly isMore: boolean
}

/** `placed` are those of the window. Organizations take turns; who has placed fewer comes first. */
export function shareOrders<Order extends { readonly organizationId: number }>(
  due: readonly Order[],
  placed: readonly PlacedOrder[],
  now: number,
): SharedOrders<Order> {
  const placedBy = Map.groupBy(placed, ({ organizationId }) => organizationId)
  const later: DeferredOrder<Order>[] = []
  const turns: { readonly order: Order; readonly turn: number }[] = []
  for (const [organizationId, own] of Map.groupBy(due, (order) => order.organizationId)) {
    const times = timesOf(placedBy.get(organizationId) ?? [])
    const room = Math.max(0, MOST_OF_ORGANIZATION - times.length)
    turns.push(...own.slice(0, room).map((order, index) => ({ order, turn: times.length + index })))
    const full = [...times, ...own.slice(0, room).map(() => now)]
    for (const [index, order] of own.slice(room).entries())
      later.push({ order, at: roomAt(full, index), whose: 'organization' })
  }
  const ordered = turns.toSorted((one, other) => one.turn - other.turn).map(({ order }) => order)
  const times = timesOf(placed)
  const room = Math.max(0, MOST_ORDERS - times.length)
  const full = [...times, ...ordered.slice(0, room).map(() => now)]
  for (const [index, order] of ordered.slice(room).entries())
    later.push({ order, at: roomAt(full, index), whose: 'installation' })
  return {
    now: ordered.slice(0, Math.min(room, MOST_AT_ONCE)),
    later,
    isMore: Math.min(room, ordered.length) > MOST_AT_ONCE,
  }
}

/** Shown with the certificate. */
export function sentenceOfShare({ at, whose }: Omit<DeferredOrder<unknown>, 'order'>): string {
  const time = `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const share =
    whose === 'organization'
      ? `The organization has ordered ${MOST_OF_ORGANIZATION} certificates within three hours, which is its share`
      : `${MOST_ORDERS} certificates were ordered here within three hours, which is what the authority allows`
  return `${share}. This one is ordered at about ${time}`
}

const timesOf = (placed: readonly PlacedOrder[]): readonly number[] =>
  placed.map(({ at }) => at).toSorted((one, other) => one - other)

/** When the order at `index` finds room: each takes the slot that frees up next. */
function roomAt(full: readonly number[], index: number): number {
  const freed = full[index % full.length] ?? 0
  return freed + ORDER_WINDOW_MS * (1 + Math.floor(index / full.length))
}
