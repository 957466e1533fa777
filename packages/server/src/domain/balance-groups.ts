/** The numbers of balance groups, which a route has in place of a port on a server of several machines. Each has a place in HAProxy from the start. */
export const balanceGroups = { first: 20_000, last: 20_999 } as const
