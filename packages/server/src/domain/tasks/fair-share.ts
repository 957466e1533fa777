// How the slots of the runner are shared between organizations. A single organization has all but one.
//
// Tasks can be long, so a place that is given away may be gone for an hour. What an organization that comes late needs must be free
// before it comes: no other ever has more than half, and the last quarter is for those that have nothing running. That holds for an
// organization whose first project is still to be made, too: also the only one leaves a place.

export type Share = {
  /** As many places as one organization may have at a time. */
  readonly most: number
  /** Once this many are taken, the rest is reserved for organizations without a running task. */
  readonly open: number
  /** As many as the only organization that has projects may have. */
  readonly alone: number
}

export function shareOf(places: number): Share {
  const isOne = places === 1
  return {
    most: Math.ceil(places / 2),
    open: isOne ? 1 : places - Math.max(1, Math.floor(places / 4)),
    alone: isOne ? 1 : places - 1,
  }
}
