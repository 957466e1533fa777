/**
 * Tokens of an environment that no other environment can guess. A build can use every image and cache on its server whose name it
 * knows, so these tokens are part of the names. They are derived from one key of the installation and stored nowhere: they stay
 * the same after restarts, take-overs and changes of the master key.
 *
 * Every build on a server can use any image or cache there by its name. So the names of an environment's images contain tokens, made of its id
 * and a key of the installation, that other builds cannot guess.
 */
import { createHmac } from 'node:crypto'
import type { Secret } from './secret.ts'

export type EnvironmentTokens = {
  /** Part of the names of its images. */
  readonly image: string
  /** Part of the names of its build caches. Builds can see it, so the image token must not be derivable from it. */
  readonly cache: string
}

export const createEnvironmentTokens =
  (key: Secret) =>
  (environmentId: number): EnvironmentTokens => ({
    image: tokenOf(key, `image ${environmentId}`),
    cache: tokenOf(key, `cache ${environmentId}`),
  })

/** 128 bits, in characters that an image name allows. */
const tokenOf = (key: Secret, purpose: string): string =>
  createHmac('sha256', key.reveal()).update(purpose).digest('hex').slice(0, 32)
