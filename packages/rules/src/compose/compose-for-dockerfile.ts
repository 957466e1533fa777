// Generates a compose file for a single Dockerfile: each routed service is a container of that image.
import type { JsonObject } from './model.ts'

export type LoneDockerfile = {
  /** Both as in Compose: the context is relative to the checkout, the Dockerfile to the context. */
  readonly build: { readonly context: string; readonly dockerfile: string }
  readonly services: readonly { readonly name: string; readonly port: number | null }[]
}

export function composeForDockerfile({ build, services }: LoneDockerfile): JsonObject {
  const context = `./${literal(build.context)}`
  const image = { build: { context, dockerfile: literal(build.dockerfile) } }
  const entries = services.map(({ name, port }) => [name, port === null ? image : { ...image, expose: [String(port)] }])
  return { services: entries.length === 0 ? { app: image } : Object.fromEntries(entries) }
}

/** Escapes dollar signs, which begin variables in Compose. */
function literal(text: string): string {
  return text.replaceAll('$', '$$$$')
}
