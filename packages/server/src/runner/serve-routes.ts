// Keeps the edge inside the platform in step with the records: at once where this process hears of a change, else soon.
import type { Context } from '../context.ts'
import { placeInProject, placeOfEnvironmentPassword } from '../domain/sealed-place.ts'
import { basicAuthOf, type Route } from '../edge/route.ts'
import { type EdgeEntry, listEmbeddedRoutes } from '../store/routes.ts'

const LOOK_MS = 1_000

export function serveRoutes(ctx: Context): { start(): Promise<void>; stop(): Promise<void> } {
  let seen: string | undefined
  let looking: Promise<void> = Promise.resolve()

  const look = async (): Promise<void> => {
    const version = ctx.recordsVersion()
    if (version !== undefined && version === seen) return
    const entries = await listEmbeddedRoutes(ctx.db)
    ctx.edge.replaceRoutes(
      entries.flatMap((entry) => routeOf(ctx, entry) ?? []),
      entries,
    )
    seen = version
  }
  const lookSoon = (): void => {
    looking = looking.then(look).catch((error: unknown) => ctx.log.error({ err: error }, 'routes could not be read'))
  }

  let timer: NodeJS.Timeout | undefined
  let endListening: () => void = () => undefined
  return {
    start: async () => {
      endListening = ctx.bus.listen(({ about }) => about === 'routes' && lookSoon())
      timer = setInterval(lookSoon, LOOK_MS)
      await look()
    },
    stop: async () => {
      endListening()
      clearInterval(timer)
      await looking
    },
  }
}

function routeOf(ctx: Context, { domain, environmentId, port, basicAuth }: EdgeEntry): Route | undefined {
  if (port === null) return undefined
  if (!basicAuth) return { domain, environmentId, port, basicAuth: null }
  const place =
    basicAuth.hookId === null
      ? placeOfEnvironmentPassword(environmentId)
      : placeInProject(basicAuth.hookId, 'basic_auth_password_sealed')
  const password = ctx.box.open(basicAuth.passwordSealed, place)
  return { domain, environmentId, port, basicAuth: basicAuthOf(basicAuth.username, password) }
}
