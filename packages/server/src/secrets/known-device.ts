/**
 * A cookie that a browser gets at sign-in: proof that the owner of an account has used this browser. It grants no access. Wrong passwords
 * from a known browser are counted separately, so that strangers who guess passwords cannot lock the owner out.
 *
 * It reads `shw_device_<id>.<account>.<signature>`: a random id, a keyed digest of the e-mail, and a keyed digest of both. Nothing is stored.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Box } from './box.ts'
import { Secret } from './secret.ts'

/** The device and the account it is known for. Neither can be forged. */
export type KnownDevice = { readonly id: string; readonly account: string }

export function makeDevice(box: Box, emailKey: string): Secret {
  const id = randomBytes(16).toString('base64url')
  const account = accountOf(box, emailKey)
  return new Secret(`${PREFIX}${id}.${account}.${signatureOf(box, { id, account })}`)
}

/** Returns undefined for a text that `makeDevice` did not create. */
export function readDevice(box: Box, text: string): KnownDevice | undefined {
  const [, id, account, signature] = FORM.exec(text) ?? []
  if (id === undefined || account === undefined || signature === undefined) return undefined
  const device = { id, account }
  return timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(box, device))) ? device : undefined
}

export const isDeviceOf = (box: Box, device: KnownDevice, emailKey: string): boolean =>
  device.account === accountOf(box, emailKey)

const PREFIX = 'shw_device_'
const FORM = /^shw_device_([\w-]{22})\.([\w-]{22})\.([\w-]{43})$/

const accountOf = (box: Box, emailKey: string): string => box.fingerprint(`device of ${emailKey}`).slice(0, 22)

const signatureOf = (box: Box, { id, account }: KnownDevice): string => box.fingerprint(`device ${id} ${account}`)
