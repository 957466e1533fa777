// A repository of a usual kind, written for these tests, and what must become of it.

export type CorpusCase = {
  readonly name: string
  /** By their paths. Where there is no `.service.yml`, the one that the platform suggests is taken. */
  readonly files: Readonly<Record<string, string>>
  /** Keys of what is refused; none: it deploys. */
  readonly refusedAt?: readonly string[]
  /** Parts of what is told. */
  readonly says?: readonly string[]
}

/** Of one compose file. */
export const compose = (text: string, more: Readonly<Record<string, string>> = {}) => ({ 'compose.yml': text, ...more })

export const DOCKERFILE = 'FROM busybox\nEXPOSE 3000\nCMD ["serve"]\n'
