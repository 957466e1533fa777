// Bounds of the packs that `shipway up` sends.

const MOST_PACK_BYTES = 64 * 1024 ** 2
const MOST_PROJECT_BYTES = 1024 ** 3
const LEAST_FREE_BYTES = 1024 ** 3
const MOST_UNPACKED_BYTES = 1024 ** 3
const RECEIVE_MS = 10 * 60_000
const IDLE_MS = 30_000
const CHECK_MS = 2 * 60_000
const AT_ONCE = 16
const OF_ORGANIZATION = 2

export const UPLOAD_LIMITS = {
  /** The largest pack. */
  bytes: MOST_PACK_BYTES,
  /** All stored packs of a project together. */
  projectBytes: MOST_PROJECT_BYTES,
  /** What the platform's disk has free when an upload begins: it is written several times, to the database and to mirrors. */
  freeBytes: LEAST_FREE_BYTES,
  /** What a pack may unpack to. */
  unpackedBytes: MOST_UNPACKED_BYTES,
  /** How long it may take to arrive, how long nothing of it may arrive, and how long it may take to be checked. */
  receiveMs: RECEIVE_MS,
  idleMs: IDLE_MS,
  checkMs: CHECK_MS,
  /** How many one process receives at once: one of each project, few of each organization. */
  atOnce: AT_ONCE,
  ofOrganization: OF_ORGANIZATION,
}

export type UploadLimits = Readonly<typeof UPLOAD_LIMITS>
