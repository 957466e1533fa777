// The release that this is, and the build of it; a test compares the release with package.json.
declare const SHIPWAY_BUILD: string | undefined

export const RELEASE = 'v1.15.0'

/** Such as `v1.15.0+bb5c3621a`: builds between two releases are told apart. The bundler replaces the name. */
export const VERSION = versionOf(typeof SHIPWAY_BUILD === 'string' ? SHIPWAY_BUILD : 'source')

function versionOf(build: string): string {
  return build === '' ? RELEASE : `${RELEASE}+${build}`
}
