/** IP addresses: their one spelling, and which networks an address may be in when the platform connects to it. */

/** The usual spelling of an address, or undefined: `127.1`, `0x7f000001`, brackets and zones are not addresses here. */
export function canonicalIp(text: string): string | undefined {
  if (/^(0|[1-9][0-9]{0,2})(\.(0|[1-9][0-9]{0,2})){3}$/.test(text)) {
    return text.split('.').every((part) => Number(part) <= 255) ? text : undefined
  }
  if (!/^[0-9a-fA-F:.]{2,45}$/.test(text) || !text.includes(':')) return undefined
  const address = `http://[${text}]/`
  return URL.canParse(address) ? new URL(address).hostname.slice(1, -1) : undefined
}

/**
 * Whether the platform may connect to an address that a user chose. Public addresses, and whatever the administrator
 * allows by network (`10.0.0.0/8`) or address; what is no address at all is refused.
 */
export function mayConnectTo(address: string, allowedNetworks: readonly string[]): boolean {
  const bytes = parseIp(address)
  if (bytes === undefined) return false
  if (allowedNetworks.some((network) => isInNetwork(bytes, network))) return true
  if (bytes.length === 16 && !isInNetwork(bytes, globalUnicast)) return false
  return !specialNetworks.some((network) => isInNetwork(bytes, network))
}

/** Whether an address is in one of these networks, or is one of these addresses. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return false
  const bytes = parseIp(address)
  return bytes !== undefined && networks.some((network) => isInNetwork(bytes, network))
}

/**
 * What is counted as one caller: an IPv4 address, or the /64 network of an IPv6 address, since one caller usually has all of it. A text
 * that is no address stays as it is.
 */
export function networkOf(address: string): string {
  const bytes = parseIp(address.split('%', 1)[0] ?? '')
  if (bytes === undefined) return address
  return bytes.length === 4 ? bytes.join('.') : `${hexOf(bytes.subarray(0, 8))}/64`
}

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Networks of an organization's own (RFC 1918, RFC 4193, RFC 6598): machines of others, unlike loopback and link-local addresses. */
export const privateNetworks: readonly string[] = [
  ...['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
]

const globalUnicast = '2000::/3'

/**
 * IANA's special-purpose networks (RFC 6890): private, loopback, link-local, shared, test, multicast, tunnels. With them the addresses at
 * which clouds answer their own machines: most are in these networks anyway, and one is in the middle of a public one.
 */
const specialNetworks: readonly string[] = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
  // Azure: the host of a machine, with its keys and certificates.
  '168.63.129.16',
]

/** Whether a text is an address, or a network such as `10.0.0.0/8`. */
export const isNetwork = (text: string): boolean => parseNetwork(text) !== undefined

/** A text that is no network holds nothing, so a mistake in a setting never opens one. */
function isInNetwork(address: Uint8Array, text: string): boolean {
  const network = parseNetwork(text)
  return network?.base.length === address.length && sharesBits(address, network.base, network.bits)
}

function parseNetwork(text: string): { readonly base: Uint8Array; readonly bits: number } | undefined {
  const [address = '', length, ...rest] = text.split('/')
  const base = parseIp(address)
  if (base === undefined || rest.length > 0) return undefined
  if (length === undefined) return { base, bits: base.length * 8 }
  if (!/^(0|[1-9][0-9]{0,2})$/.test(length) || Number(length) > base.length * 8) return undefined
  return { base, bits: Number(length) }
}

function sharesBits(left: Uint8Array, right: Uint8Array, count: number): boolean {
  return left.every((byte, index) => {
    const bits = Math.min(8, Math.max(0, count - index * 8))
    const mask = (0xff << (8 - bits)) & 0xff
    return (byte & mask) === ((right[index] ?? 0) & mask)
  })
}

/** Four bytes or sixteen. An IPv4 address inside IPv6 (`::ffff:10.0.0.1`) is the IPv4 address. */
function parseIp(text: string): Uint8Array | undefined {
  const address = canonicalIp(text)
  if (address === undefined) return undefined
  if (!address.includes(':')) return Uint8Array.from(address.split('.').map(Number))
  const bytes = Uint8Array.from(expandGroups(address).flatMap((group) => [group >> 8, group & 0xff]))
  const isMapped = sharesBits(bytes, mappedPrefix, 96)
  return isMapped ? bytes.slice(12) : bytes
}

const mappedPrefix = Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0])

/** The canonical spelling has no dotted part, and one `::` at most. */
function expandGroups(address: string): number[] {
  const [head = [], tail] = address.split('::').map((side) => (side === '' ? [] : side.split(':')))
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length
  return [...head, ...Array<string>(zeros).fill('0'), ...(tail ?? [])].map((group) => Number.parseInt(group, 16))
}
