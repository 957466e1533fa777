// The cookie that recognises a browser in which a user has signed in before. It outlives sign-out.
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { type KnownDevice, readDevice } from '../secrets/known-device.ts'
import type { Secret } from '../secrets/secret.ts'
import { ownCookie, readOwnCookie } from './own-cookie.ts'

export function deviceOf(
  { config, box }: Pick<Context, 'config' | 'box'>,
  request: FastifyRequest,
): KnownDevice | undefined {
  const cookie = readOwnCookie(config, request, 'shipway_device')
  return cookie === undefined ? undefined : readDevice(box, cookie)
}

export const deviceCookie = ({ config }: Pick<Context, 'config'>, device: Secret): string =>
  ownCookie(config, { name: 'shipway_device', value: device.reveal(), maxAge: YEAR_SECONDS })

const YEAR_SECONDS = 365 * 86_400
