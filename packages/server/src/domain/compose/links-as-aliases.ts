// `links` as further names of the linked service. Compose would lead them to the current containers too, which are in other networks.
import type { ComposeModel, ComposeService, JsonObject } from '@shipway/rules/compose/model'
import { objectOf } from '@shipway/rules/compose/policy/policy-rules'

type Link = { readonly from: ComposeService; readonly to: string; readonly alias: string }

/** A name that is another service's stays a link: it is meant for the one that has it alone. */
export function withoutLinks({ services }: ComposeModel): ReadonlyMap<string, ComposeService> {
  const links = [...services.values()].flatMap((from) => linksOf(from))
  const isName = ({ to, alias }: Link): boolean => services.has(to) && (alias === to || !services.has(alias))
  return new Map(
    [...services].map(([name, service]) => {
      const { links: own, ...others } = service.definition
      const rest = linksOf(service).filter((link) => !isName(link))
      const kept =
        own === undefined || rest.length === 0 ? {} : { links: rest.map(({ to, alias }) => `${to}:${alias}`) }
      const wanted = links.filter((link) => link.to === name && link.alias !== name && isName(link))
      return [name, { ...service, definition: withAliases({ ...others, ...kept }, wanted) }]
    }),
  )
}

function linksOf(from: ComposeService): Link[] {
  const { links } = from.definition
  return (Array.isArray(links) ? links : []).map((link) => {
    const [to = '', alias = to] = String(link).split(':')
    return { from, to, alias }
  })
}

/** In the networks that both are in. */
function withAliases(definition: JsonObject, links: readonly Link[]): JsonObject {
  if (links.length === 0) return definition
  const networks = Object.entries(objectOf(definition.networks)).map(([key, network]) => {
    const shared = links.filter(({ from }) => Object.hasOwn(objectOf(from.definition.networks), key))
    if (shared.length === 0) return [key, network]
    const { aliases } = objectOf(network)
    const all = [...(Array.isArray(aliases) ? aliases.map(String) : []), ...shared.map(({ alias }) => alias)]
    return [key, { ...objectOf(network), aliases: [...new Set(all)] }]
  })
  return { ...definition, networks: Object.fromEntries(networks) }
}
