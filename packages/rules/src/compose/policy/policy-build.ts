// The policy for how a service's image is built.
import { posix } from 'node:path'
import { isInCheckout } from '../mounts/checkout-path.ts'
import {
  all,
  allow,
  allowIf,
  each,
  keysOf,
  needs,
  objectOf,
  oneOf,
  type PolicyContext,
  type Rule,
  refuse,
  reservedLabels,
} from './policy-rules.ts'
import { isImageId, isImageReference, isPlatformImage, ulimits } from './policy-values.ts'

const advice = 'Use a path inside the repository that passes no symbolic link'
const outside = refuse({ what: 'is remote or outside the checkout', advice })

const isHere = (value: unknown, ctx: PolicyContext): boolean =>
  typeof value === 'string' && isInCheckout(value, ctx.checkout)

/** A folder of the checkout, another service's image, or an image by its name. */
const isKnownContext = (value: unknown, ctx: PolicyContext): boolean => {
  const [, image = ''] = /^docker-image:\/\/(.+)$/.exec(String(value)) ?? []
  return isHere(value, ctx) || /^service:[\w.-]+$/.test(String(value)) || isForeignImage(image)
}
const isForeignImage = (name: unknown): boolean =>
  typeof name === 'string' && isImageReference(name) && !isImageId(name) && !isPlatformImage(name)

const keys = keysOf({
  context: allowIf(isHere, outside),
  // Checked together with the context.
  dockerfile: allow,
  dockerfile_inline: allow,
  additional_contexts: each(allowIf(isKnownContext, outside)),
  args: allow,
  extra_hosts: allow,
  labels: reservedLabels,
  no_cache: allow,
  platforms: allow,
  provenance: allow,
  pull: allow,
  sbom: allow,
  // Their files are checked where they are declared.
  secrets: allow,
  shm_size: allow,
  target: allow,
  ulimits,
  cache_from: each(allowIf(isForeignImage, refuse({ what: 'takes a cache from outside the repository' }))),
  cache_to: refuse({ what: 'writes a cache outside the environment', advice: 'Remove it: the server keeps the cache' }),
  tags: refuse({
    what: 'names images that another environment may use',
    advice: 'Remove it: the platform tags images',
  }),
  network: (value, key, ctx) => {
    if (value === 'host') return needs('host_network', 'builds in the network of the machine')(value, key, ctx)
    return oneOf(['default', 'none'], needs('external_networks', 'builds in a network that is not its own'))(
      value,
      key,
      ctx,
    )
  },
  privileged: needs('privileged', 'builds with all rights on the machine'),
  entitlements: needs('privileged', 'builds with further rights on the machine'),
  ssh: refuse({ what: 'takes the ssh keys of the server' }),
  isolation: oneOf(['default'], refuse({ what: 'chooses how the build is isolated' })),
})

/** The Dockerfile is relative to the context. */
const dockerfile: Rule = (value, key, ctx) => {
  const { context, dockerfile: file } = objectOf(value)
  // A context outside is already refused.
  if (!isHere(context, ctx) || file === undefined || file === null) return []
  const path = typeof file === 'string' ? posix.resolve(String(context), file) : file
  return allowIf(isHere, refuse({ what: 'is outside the checkout', advice }))(path, `${key}.dockerfile`, ctx)
}

export const buildRule: Rule = all(keys, dockerfile)
