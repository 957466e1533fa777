/** From where an address of the platform can be reached, checked by the text alone. */
import { isUnder } from './hostname.ts'
import { mayReachHost } from './reachable-host.ts'

export type Reach = 'this machine' | 'its network' | 'everywhere'

/** What is no address of a page is reached from nowhere else. */
export function reachOf(url: string): Reach {
  if (!URL.canParse(url)) return 'this machine'
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isUnder(host, 'localhost') || /^(127\.|0\.)/.test(host) || LOOPBACK.has(host)) return 'this machine'
  return mayReachHost(host, []) ? 'everywhere' : 'its network'
}

const LOOPBACK = new Set(['', '::', '::1', '::ffff:7f00:1'])
