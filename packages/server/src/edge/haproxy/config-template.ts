// HAProxy's configuration for a server that is not known yet: the set-up script fills in the folder and the ports.
import { balanceGroups } from '../../domain/balance-groups.ts'
import { type HaproxyAddresses, haproxyConfig, THREADS } from './haproxy-config.ts'

/**
 * `@folder@`, `@http_port@` and `@https_port@` stand for what only the server knows. `@https_in_address@` stands where people see
 * the port: it becomes a colon and the port, or nothing for the default port. Lines with `v6only` are for machines with IPv6.
 */
export function configTemplate({ isBalanced = false }: Pick<HaproxyAddresses, 'isBalanced'> = {}): string {
  const addresses = {
    httpAddress: `:${placeholders.http}`,
    httpsAddress: `:${placeholders.https}`,
    isOnIpv6: true,
    isBalanced,
  }
  return haproxyConfig({ folder: placeholders.folder, ...addresses })
    .replaceAll(placeholders.folder, '@folder@')
    .replaceAll(new RegExp(`(bind (?:\\[::\\])?):${placeholders.http}`, 'g'), '$1:@http_port@')
    .replaceAll(new RegExp(`(bind (?:\\[::\\])?):${placeholders.https}`, 'g'), '$1:@https_port@')
    .replaceAll(`:${placeholders.https}`, '@https_in_address@')
}

/** For servers that are one machine, and for managers of a Swarm. */
export const edgeTemplates = () => ({
  template: configTemplate(),
  balanced: configTemplate({ isBalanced: true }),
  groups: balanceGroups,
})

/** Values that the configuration accepts and that occur nowhere else in it. */
const placeholders = { folder: '/the-folder-of-the-edge', http: '65533', https: '65534' }

/** Whether a file on a server is this version's configuration for that folder, with any ports. */
export function isOurConfig(
  text: string,
  folder: string,
  { isBalanced = false }: Pick<HaproxyAddresses, 'isBalanced'> = {},
): boolean {
  const [, httpAddress] = new RegExp(`^ +bind ([0-9.*]*:[0-9]{1,5}) ${THREADS}$`, 'm').exec(text) ?? []
  const [, httpsAddress = null] = new RegExp(`^ +bind ([0-9.*]*:[0-9]{1,5}) ${THREADS} ssl `, 'm').exec(text) ?? []
  if (httpAddress === undefined) return false
  // The server names the folder, so it is not trusted as part of a configuration.
  const addresses = { httpAddress, httpsAddress, isOnIpv6: text.includes(' v6only'), isBalanced }
  return text.replaceAll(folder, placeholders.folder) === haproxyConfig({ folder: placeholders.folder, ...addresses })
}
