// Warns of a platform that people sign in to without encryption.
import { reachOf } from '@shipway/api/values/reach'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'

/** A browser keeps cookies of http apart from neither the network nor neighbouring hosts; this machine alone has neither. */
export function warnOfPlainHttp({ baseUrl }: Pick<Config, 'baseUrl'>, log: Logger): void {
  if (new URL(baseUrl).protocol === 'http:' && reachOf(baseUrl) !== 'this machine') log.warn(UNPROTECTED)
}

const UNPROTECTED =
  'people sign in over http: others on the network and applications on neighbouring hosts can act as them. ' +
  'Serve the platform by https, and set SHIPWAY_BASE_URL to that address'
