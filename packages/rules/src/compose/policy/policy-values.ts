// Rules for single values that the policy uses more than once.
import { allow, allowIf, keysOf, type Rule, refuse } from './policy-rules.ts'

/** A reference as Docker reads it, and none of the images that the platform built for an environment. */
export const imageRule: Rule = (value, key, ctx) => {
  const known = refuse({ what: 'is not the name of an image', advice: 'Write it as in docker pull' })
  if (typeof value !== 'string' || !isImageReference(value)) return known(value, key, ctx)
  if (isImageId(value)) return byId(value, key, ctx)
  if (!isPlatformImage(value)) return []
  return refuse({ what: 'is an image that the platform built for an environment', advice: 'Name another image' })(
    value,
    key,
    ctx,
  )
}

const byId = refuse({
  what: 'is read by Docker as the beginning of the id of an image, which may be that of another environment',
  advice: 'Write the name of the image with its tag, such as name:latest',
})

/**
 * If no image has that name, Docker accepts the first characters of an id: one or two are often enough to match another environment's
 * image. With a tag or a registry it is always a name.
 */
export function isImageId(text: string): boolean {
  return /^(?:[0-9a-f]{1,64}|sha256:.*)$/.test(text)
}

export function isImageReference(text: string): boolean {
  return text.length <= 500 && IMAGE.test(text)
}

export function isPlatformImage(text: string): boolean {
  return /(^|\/)shipway-[^/]*$/.test(text)
}

const PART = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const HOST = '(?:[a-zA-Z0-9][a-zA-Z0-9.-]*(?::[0-9]+)?/)?'
const IMAGE = new RegExp(
  `^${HOST}${PART}(?:/${PART})*(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$`,
)

const MAX_OPEN_FILES = 1_048_576

/** Other limits would let a container monopolize the processor. */
export const ulimits: Rule = keysOf(
  {
    nofile: allowIf(
      (value) =>
        [value, ...Object.values(Object(value))].every((limit) => typeof limit === 'object' || isFewFiles(limit)),
      refuse({ what: 'is too high', advice: `Choose at most ${MAX_OPEN_FILES}` }),
    ),
    ...Object.fromEntries(
      'as core cpu data fsize locks memlock msgqueue nproc rss sigpending stack'
        .split(' ')
        .map((name) => [name, allow]),
    ),
  },
  refuse({ what: 'is a limit that the platform does not allow to be changed' }),
)

function isFewFiles(limit: unknown): boolean {
  return Number(limit) >= 0 && Number(limit) <= MAX_OPEN_FILES
}
