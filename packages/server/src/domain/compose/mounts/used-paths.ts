// The paths of the checkout that something is read from after the check: by builds, and by containers when they start.
import { posix } from 'node:path'
import type { ComposeModel, JsonObject } from '@shipway/rules/compose/model'
import { type Checkout, isInCheckout } from '@shipway/rules/compose/mounts/checkout-path'
import { objectOf } from '@shipway/rules/compose/policy/policy-rules'

/** Contexts, Dockerfiles and the files of secrets. */
export function pathsOfBuilds({ services, secrets }: ComposeModel, checkout: Checkout): string[] {
  const ofBuilds = [...services.values()].flatMap(({ build }) => {
    const { context, dockerfile, additional_contexts: others } = build ?? {}
    if (typeof context !== 'string') return []
    const file = typeof dockerfile === 'string' ? [posix.resolve(context, dockerfile)] : []
    return [context, ...file, ...Object.values(objectOf(others))]
  })
  return inCheckout([...ofBuilds, ...filesOf(secrets)], checkout)
}

/** Mounts, and the files of secrets and configs. */
export function pathsOfContainers({ services, secrets, configs }: ComposeModel, checkout: Checkout): string[] {
  const mounted = [...services.values()].flatMap(({ mounts }) =>
    mounts.flatMap(({ type, source }) => (type === 'bind' ? [source] : [])),
  )
  return inCheckout([...mounted, ...filesOf(secrets), ...filesOf(configs)], checkout)
}

const filesOf = (definitions: ReadonlyMap<string, JsonObject>): unknown[] =>
  [...definitions.values()].map(({ file }) => file)

function inCheckout(paths: readonly unknown[], checkout: Checkout): string[] {
  const found = paths.filter((path) => typeof path === 'string' && isInCheckout(path, checkout)).map(String)
  return [...new Set(found)]
}
