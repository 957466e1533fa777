// Bounds of the packs that `shipway up` sends.

export const UPLOAD_LIMITS = {
  /** The largest pack. */
  bytes: 64 * 1024 ** 2,
  /** All stored packs of a project together. */
  projectBytes: 1024 ** 3,
  /** What a pack may unpack to. */
  unpackedBytes: 1024 ** 3,
  /** How long it may take to arrive, how long nothing of it may arrive, and how long it may take to be checked. */
  receiveMs: 10 * 60_000,
  idleMs: 30_000,
  checkMs: 2 * 60_000,
  /** How many one process receives at once; one for each project. */
  atOnce: 4,
} as const

export type UploadLimits = { readonly [Name in keyof typeof UPLOAD_LIMITS]: number }
