// Arguments for networks.

/** As a value of `--alias`, which Docker reads as CSV. */
export const aliasWord = (alias: string): string =>
  /^[\w.-]+$/.test(alias) ? alias : `"${alias.replaceAll('"', '""')}"`

type Network = {
  readonly isInternal: boolean
  readonly isAttachable: boolean
  readonly hasIpv6: boolean
  readonly mtu: string | null
}

/** None of them has a space in it. */
export const networkOptions = ({ isInternal, isAttachable, hasIpv6, mtu }: Network): readonly string[] => [
  ...(isInternal ? ['--internal'] : []),
  ...(isAttachable ? ['--attachable'] : []),
  ...(hasIpv6 ? ['--ipv6'] : []),
  ...(mtu === null ? [] : ['--opt', `com.docker.network.driver.mtu=${mtu}`]),
]
