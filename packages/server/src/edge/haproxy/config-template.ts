// The configuration of the edge for a server that is not known yet: the set-up script fills in the folder and the ports.
import { edgeConfig } from './haproxy-config.ts'

/**
 * Lines with `v6only` are for machines that have IPv6. With `@folder@`, `@http_port@` and `@https_port@` in place of what only the server knows, and `@https_in_address@` where people see
 * the port: nothing there for the usual one, else a colon and the port.
 */
export function edgeTemplate(): string {
  const addresses = { httpAddress: `:${stand.http}`, httpsAddress: `:${stand.https}`, isOnIpv6: true }
  return edgeConfig({ folder: stand.folder, ...addresses })
    .replaceAll(stand.folder, '@folder@')
    .replaceAll(new RegExp(`(bind (?:\\[::\\])?):${stand.http}`, 'g'), '$1:@http_port@')
    .replaceAll(new RegExp(`(bind (?:\\[::\\])?):${stand.https}`, 'g'), '$1:@https_port@')
    .replaceAll(`:${stand.https}`, '@https_in_address@')
}

/** Values that the configuration takes and that stand nowhere else in it. */
const stand = { folder: '/the-folder-of-the-edge', http: '65533', https: '65534' }

/** Whether a file on a server is the configuration of this version, for that folder and whatever ports. */
export function isEdgeConfig(text: string, folder: string): boolean {
  const [, httpAddress] = /^ +bind ([0-9.*]*:[0-9]{1,5})$/m.exec(text) ?? []
  const [, httpsAddress = null] = /^ +bind ([0-9.*]*:[0-9]{1,5}) ssl /m.exec(text) ?? []
  if (httpAddress === undefined) return false
  // The folder is the server's word, so it is not handed on.
  const addresses = { httpAddress, httpsAddress, isOnIpv6: text.includes(' v6only') }
  return text.replaceAll(folder, stand.folder) === edgeConfig({ folder: stand.folder, ...addresses })
}
