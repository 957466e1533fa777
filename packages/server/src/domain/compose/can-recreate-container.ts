// Whether a container could be made again out of its definition alone.

import type { ComposeModel, JsonObject } from '@shipway/rules/compose/model'
import { objectOf } from '@shipway/rules/compose/policy/policy-rules'
import { joinedServices } from './dependency-levels.ts'

/** Compose copies secrets and configs that are no files into a container after it was made. */
export function canRecreateContainer({ services, secrets, configs }: ComposeModel, name: string): boolean {
  const service = services.get(name)
  if (!service) return false
  const { secrets: ownSecrets, configs: ownConfigs } = service.definition
  const isCopied = ({ file }: JsonObject): boolean => file === undefined
  const given = [...named(ownSecrets, secrets), ...named(ownConfigs, configs)]
  return joinedServices(service).length === 0 && !given.some(isCopied)
}

function named(list: unknown, declared: ReadonlyMap<string, JsonObject>): JsonObject[] {
  return (Array.isArray(list) ? list : []).flatMap((entry) => {
    const found = declared.get(String(objectOf(entry).source))
    return found ? [found] : []
  })
}
