/** Containers publish their ports on it, and an edge reaches them there: they are on one machine, and no other machine gets in. */
export const LOOPBACK = '127.0.0.1'
