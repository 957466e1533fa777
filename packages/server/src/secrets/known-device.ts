/**
 * What a browser keeps from the day somebody signed in there: proof that the owner of one account has used it. It opens nothing. Guesses
 * of such a browser are counted apart, so that strangers who guess at the account cannot keep its owner out.
 *
 * It reads `shw_device_<id>.<account>.<seal>`: a random id, a keyed digest of the e-mail, and a keyed digest of both. Nothing is stored.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Box } from './box.ts'
import { Secret } from './secret.ts'

/** Which device, and which account it is known for; neither can be made up. */
export type KnownDevice = { readonly id: string; readonly account: string }

export function makeDevice(box: Box, emailKey: string): Secret {
  const id = randomBytes(16).toString('base64url')
  const account = accountOf(box, emailKey)
  return new Secret(`${PREFIX}${id}.${account}.${sealOf(box, { id, account })}`)
}

/** Undefined for anything that was not made here. */
export function readDevice(box: Box, text: string): KnownDevice | undefined {
  const [, id, account, seal] = FORM.exec(text) ?? []
  if (id === undefined || account === undefined || seal === undefined) return undefined
  const device = { id, account }
  return timingSafeEqual(Buffer.from(seal), Buffer.from(sealOf(box, device))) ? device : undefined
}

export const isDeviceOf = (box: Box, device: KnownDevice, emailKey: string): boolean =>
  device.account === accountOf(box, emailKey)

const PREFIX = 'shw_device_'
const FORM = /^shw_device_([\w-]{22})\.([\w-]{22})\.([\w-]{43})$/

const accountOf = (box: Box, emailKey: string): string => box.fingerprint(`device of ${emailKey}`).slice(0, 22)

const sealOf = (box: Box, { id, account }: KnownDevice): string => box.fingerprint(`device ${id} ${account}`)
