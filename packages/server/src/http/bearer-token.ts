// The token of an Authorization header; undefined where there is none, or another scheme.
import type { IncomingHttpHeaders } from 'node:http'

export const bearerTokenOf = ({ authorization }: Pick<IncomingHttpHeaders, 'authorization'>): string | undefined =>
  /^bearer +([^\s]+) *$/i.exec(authorization ?? '')?.[1]
