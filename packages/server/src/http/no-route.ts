// What to say where no route fits: another method, or nothing at all.
import { routes } from '@shipway/api/routes'
import { AppError } from '../domain/errors.ts'

export function noRoute(method: string, url: string): AppError {
  const path = url.split('?', 1)[0] ?? ''
  const allowed = patterns.filter(({ pattern }) => pattern.test(path)).map((route) => route.method)
  if (allowed.length === 0 || allowed.some((other) => other === method)) {
    return new AppError('endpoint_not_found', 'There is no such endpoint. The reference is at /api/reference')
  }
  const headers = { allow: allowed.join(', ') }
  return new AppError('method_not_allowed', `Use ${allowed.join(' or ')} here`, { headers })
}

const patterns = Object.values(routes).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))
