// How the places of the runner are shared between organizations. One that is alone has all of them.
//
// Tasks can be long, so a place that is given away may be gone for an hour. What an organization that comes late needs must be free
// before it comes: no other ever has more than half, and the last quarter is for those that have nothing running.

export type Share = {
  /** As many places as one organization may have at a time. */
  readonly most: number
  /** Once so many are taken, the rest goes to organizations that have none. */
  readonly open: number
}

export function shareOf(places: number): Share {
  return { most: Math.ceil(places / 2), open: places - Math.floor(places / 4) }
}
