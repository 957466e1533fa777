/**
 * Words of an environment that nobody outside of it can guess. Whoever builds on a server can name any image and any cache that lies
 * there: what has such a word in its name is found by its own environment alone. They are made of one key of the installation, so that
 * they stay the same through restarts, take-overs and changes of the master key, and are stored nowhere.
 */
import { createHmac } from 'node:crypto'
import type { Secret } from './secret.ts'

export type EnvironmentTokens = {
  /** In the names of its images. */
  readonly image: string
  /** In what its builds cache. Its builds can see this one, so the other must not follow from it. */
  readonly cache: string
}

export const createEnvironmentTokens =
  (key: Secret) =>
  (environmentId: number): EnvironmentTokens => ({
    image: tokenOf(key, `image ${environmentId}`),
    cache: tokenOf(key, `cache ${environmentId}`),
  })

/** 128 bits, in what the name of an image may hold. */
const tokenOf = (key: Secret, what: string): string =>
  createHmac('sha256', key.reveal()).update(what).digest('hex').slice(0, 32)
