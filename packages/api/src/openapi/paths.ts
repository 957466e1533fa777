// Operations as paths of the document, with what several of them take written once. `operationsOf` puts them together again.
import type {
  Method,
  OpenApiDocument,
  Operation,
  Parameter,
  PathItem,
  PathOperation,
  Reference,
  Security,
} from './document.ts'

export type Endpoint = { readonly method: Method; readonly path: string; readonly operation: Operation }

type Parameters = Readonly<Record<string, Parameter>>

/** The parameters that occur more than once, by name. Of different ones with the same name, the most frequent. */
export function sharedParameters(endpoints: readonly Endpoint[]): Parameters {
  const all = endpoints.flatMap(({ operation }) => operation.parameters)
  const repeated = [...Map.groupBy(all, textOf).values()].filter((same) => same.length > 1)
  const mostFrequentLast = repeated.toSorted((one, other) => one.length - other.length)
  return Object.fromEntries(mostFrequentLast.flatMap(([first]) => (first ? [[keyOf(first), first]] : [])))
}

/** An operation leaves out what its path says for all operations there, and the usual way to sign in. */
export function pathsOf(
  endpoints: readonly Endpoint[],
  { parameters, security }: { parameters: Parameters; security: Security },
): Record<string, PathItem> {
  const refer = (parameter: Parameter): Parameter | Reference =>
    textOf(parameters[keyOf(parameter)]) === textOf(parameter)
      ? { $ref: `#/components/parameters/${keyOf(parameter)}` }
      : parameter
  const pathItem = (members: readonly Endpoint[]): PathItem => {
    const common = commonParameters(members.map(({ operation }) => operation.parameters))
    const isCommon = (parameter: Parameter): boolean => common.some((one) => textOf(one) === textOf(parameter))
    const pathOperation = (operation: Operation): PathOperation => {
      const { security: ownSecurity, parameters: all, ...rest } = operation
      const own = all.filter((parameter) => !isCommon(parameter))
      return {
        ...rest,
        ...(textOf(ownSecurity) !== textOf(security) && { security: ownSecurity }),
        ...(own.length > 0 && { parameters: own.map(refer) }),
      }
    }
    return {
      ...(common.length > 0 && { parameters: common.map(refer) }),
      ...Object.fromEntries(members.map(({ method, operation }) => [method, pathOperation(operation)])),
    }
  }
  const byPath = Map.groupBy(endpoints, ({ path }) => path)
  return Object.fromEntries([...byPath].map(([path, members]) => [path, pathItem(members)]))
}

/** Every operation of the document, whole. */
export function operationsOf(document: OpenApiDocument): Endpoint[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      if (!operation) return []
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((one) =>
        resolve(document, one),
      )
      return [
        { method, path, operation: { ...operation, security: operation.security ?? document.security, parameters } },
      ]
    }),
  )
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** A header of ours without its prefix, which each of its many references would repeat. */
const keyOf = ({ name }: Parameter): string => name.replace(/^X-Service-/, '')

const textOf = (value: unknown): string => JSON.stringify(value) ?? ''

function commonParameters([first = [], ...others]: readonly (readonly Parameter[])[]): readonly Parameter[] {
  const texts = others.map((parameters) => new Set(parameters.map(textOf)))
  return first.filter((parameter) => texts.every((text) => text.has(textOf(parameter))))
}

function resolve({ components }: OpenApiDocument, parameter: Parameter | Reference): Parameter {
  if (!('$ref' in parameter)) return parameter
  const found = components.parameters[parameter.$ref.slice(parameter.$ref.lastIndexOf('/') + 1)]
  if (!found) throw new Error(`The document has no ${parameter.$ref}`)
  return found
}
