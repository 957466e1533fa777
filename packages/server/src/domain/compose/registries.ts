// The registries that images come from. Docker Hub is left out everywhere: no user can choose its name, and images of the server's own
// have it too.
import type { ImageBuild } from './image-build.ts'

/** `ghcr.io`, `10.0.0.5:5000`; null for Docker Hub. */
export function registryOf(image: string): string | null {
  const [first = '', ...rest] = image.split('/')
  const isHost = rest.length > 0 && (/[.:A-Z]/.test(first) || first === 'localhost')
  return isHost && !HUB.has(first.toLowerCase()) ? first : null
}

/** The name by which docker signs in to it. */
export const dockerHub = 'https://index.docker.io/v1/'

const HUB: ReadonlySet<string> = new Set(['docker.io', 'index.docker.io'])

/** The name or address of a registry, without its port. */
export const hostOf = (registry: string): string => registry.replace(/:\d+$/, '').toLowerCase()

/** One that can be looked up. An IPv6 address in brackets is none: it is refused. */
export const isRegistryName = (text: string): boolean =>
  /^(?=.{1,255}$)[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?$/.test(text)

/** BuildKit takes caches without a word to its policy, so each of these has to be checked, however it is written. */
export const registriesOfCaches = (builds: readonly ImageBuild[]): readonly string[] => [
  ...new Set(
    builds.flatMap(({ cache_from: images }) => images.map(registryOf)).filter((registry) => registry !== null),
  ),
]

/**
 * Registries that builds are likely to take from, by the look of the text: a look-up beforehand saves a build that would be refused and
 * begun again. BuildKit decides: what is missing here is found by its refusal, what is too much allows nothing that is not checked.
 */
export function likelyRegistries(builds: readonly ImageBuild[], dockerfiles: readonly string[]): readonly string[] {
  const named = builds.flatMap(({ args, additional_contexts: contexts }) => [
    ...Object.values(args).flatMap(inValue),
    ...Object.values(contexts).map((context) => registryOf(context.replace(/^docker-image:\/\//, ''))),
  ])
  return distinct([...named, ...dockerfiles.flatMap(inDockerfile)]).slice(0, MOST_LIKELY)
}

const MOST_LIKELY = 10

function inDockerfile(text: string): (string | null)[] {
  return text.split('\n').flatMap((line) => {
    if (/^\s*ARG\s/i.test(line)) return line.split(SEPARATORS).flatMap(inValue)
    return /^\s*(?:FROM|COPY|ADD|ONBUILD)\s|^\s*#\s*syntax\s*=|\bfrom=/i.test(line)
      ? line.split(SEPARATORS).map(registryOf)
      : []
  })
}

const SEPARATORS = /[\s=,"']+/

/** An argument may be the name of an image, or of a registry alone. */
const inValue = (value: string): (string | null)[] => [
  registryOf(value),
  /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?::\d{1,5})?$/i.test(value.slice(0, 256)) ? registryOf(`${value}/x`) : null,
]

const distinct = (registries: readonly (string | null)[]): readonly string[] => [
  ...new Set(registries.filter((registry) => registry !== null).filter(isRegistryName)),
]
