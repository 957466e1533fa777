// The policy for what a service mounts.
import {
  all,
  allow,
  inCheckout,
  isClockFile,
  isSet,
  keysOf,
  needs,
  objectOf,
  oneOf,
  type Rule,
  refuse,
} from './policy-rules.ts'
import { refusal } from './refusal.ts'

/** One entry of a service's `volumes`, in the long form that Compose resolves all of them to. */
export const mountRule: Rule = (value, key, ctx) => {
  const mount = objectOf(value)
  const byType = typeof mount.type === 'string' && Object.hasOwn(types, mount.type) ? types[mount.type] : undefined
  if (mount.type === 'bind' && mount.read_only === true && isClockFile(mount.source)) return clock(value, key, ctx)
  const rule = byType ?? refuse({ what: 'is a kind of mount that the platform does not know' })
  return rule(value, key, ctx)
}

const keys = { type: allow, target: allow, read_only: allow, consistency: allow }

/** Docker creates a missing folder on the machine, unless `create_host_path` is false. */
const clock = keysOf({
  ...keys,
  source: allow,
  bind: keysOf({ create_host_path: oneOf([false], refuse({ what: 'would make a folder of the machine' })) }),
})

/** A rule for keys never sees a key that is absent. Compose and Docker refuse such a mount only after the images are built. */
const hasSource: Rule = (value, key) =>
  isSet(objectOf(value).source)
    ? []
    : [refusal(key, { what: 'is a bind mount without a source', advice: 'Name a path inside the repository' })]

const types: Readonly<Record<string, Rule>> = {
  bind: all(
    hasSource,
    keysOf({
      ...keys,
      source: inCheckout('mounts a path outside the checkout'),
      bind: keysOf({
        create_host_path: allow,
        recursive: allow,
        selinux: allow,
        propagation: oneOf(['private', 'rprivate'], needs('privileged', 'shares mounts with the machine')),
      }),
    }),
  ),
  // The policy for volumes decides which volumes are allowed.
  volume: keysOf({
    ...keys,
    source: allow,
    volume: keysOf({ nocopy: allow, subpath: allow }),
    // From `:z` after a volume.
    bind: keysOf({ selinux: allow }),
  }),
  tmpfs: keysOf({ ...keys, tmpfs: keysOf({ size: allow, mode: allow }) }),
}
