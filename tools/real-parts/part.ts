// A real part: a program that the tests use for real, and the Debian packages that bring it.

export type RealPart = Readonly<{
  name: string
  isPresent: () => boolean
  /** Names of Debian packages. */
  packages: readonly string[]
  /** What must be so before the packages are installed. */
  beforeInstall?: () => void
  /** The tests that are skipped where the part is missing, as the end of a sentence. */
  withoutIt: string
}>
