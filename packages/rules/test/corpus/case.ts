// A typical repository, written for these tests, and the expected result.

export type CorpusCase = {
  readonly name: string
  /** By path. Without a `.service.yml`, the suggested one is used. */
  readonly files: Readonly<Record<string, string>>
  /** Keys that are refused; without any, it deploys. */
  readonly refusedAt?: readonly string[]
  /** Parts of the expected notes. */
  readonly says?: readonly string[]
}

/** Of one compose file. */
export const compose = (text: string, more: Readonly<Record<string, string>> = {}) => ({ 'compose.yml': text, ...more })

export const DOCKERFILE = 'FROM busybox\nEXPOSE 3000\nCMD ["serve"]\n'
