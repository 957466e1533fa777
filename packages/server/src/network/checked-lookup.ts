// A DNS lookup that returns checked addresses: resolving the name again could give others.

type ResolvedAddress = { readonly address: string; readonly family: number }
type LookupCallback = (error: Error | null, address: string | ResolvedAddress[], family?: number) => void

/** For the option `lookup` of a connection. */
export function lookupAmong(addresses: readonly string[]) {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  return (_hostname: string, { all }: { readonly all?: boolean | undefined }, done: LookupCallback): void => {
    const [first] = found
    if (all) done(null, found)
    else if (first) done(null, first.address, first.family)
    else done(new Error('There is no address to connect to'), '')
  }
}
