// How the slots of the runner are shared between organizations. A single organization has all but one.
//
// Tasks can be long, so a slot may be taken for an hour. Slots for an organization that comes late must be free
// before it comes: no organization has more than half, and the last quarter is for those with nothing running. That holds for an
// organization without projects, too: even a single one leaves a slot.

export type Share = {
  /** Slots that one organization may have at a time. */
  readonly most: number
  /** Once this many are taken, the rest is reserved for organizations without a running task. */
  readonly open: number
  /** Slots that the only organization with projects may have. */
  readonly alone: number
}

export function shareOf(slots: number): Share {
  const isOne = slots === 1
  return {
    most: Math.ceil(slots / 2),
    open: isOne ? 1 : slots - Math.max(1, Math.floor(slots / 4)),
    alone: isOne ? 1 : slots - 1,
  }
}
