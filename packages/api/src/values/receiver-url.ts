/** Where a webhook of a project is sent to. */
import { z } from 'zod'
import { mayReachHost } from './reachable-host.ts'
import { rule } from './rule.ts'

const LONGEST = 2_000

/** It must not contain credentials: everyone who reads the settings would see them. */
export const ReceiverUrl = z
  .string()
  .check(
    rule(
      'invalid_url',
      'Give an address such as https://hooks.example.com/shipway, without user name, password or fragment',
      isReceiverUrl,
    ),
  )
  .overwrite((text) => (isReceiverUrl(text) ? new URL(text).href : text))

function isReceiverUrl(text: string): boolean {
  if (text.length > LONGEST || !/^https?:\/\/[\x21-\x7e]+$/i.test(text)) return false
  const url = URL.parse(text)
  return url !== null && url.hostname !== '' && !url.username && !url.password && !url.hash
}

/** The host of an address as names and IP addresses are compared: without brackets and without a final dot. */
export const receiverHostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** Why this platform does not send there, checked by the text alone. `allowedNetworks` holds networks, addresses and exact host names. */
export function receiverUrlFault(
  url: string,
  { allowedNetworks }: { readonly allowedNetworks: readonly string[] },
): { readonly code: string; readonly detail: string } | undefined {
  const host = receiverHostOf(url)
  if (mayReachHost(host, allowedNetworks)) return undefined
  return {
    code: 'network_not_allowed',
    detail: `${host} is in a private network; an administrator can allow it in SHIPWAY_ALLOWED_NETWORKS`,
  }
}
