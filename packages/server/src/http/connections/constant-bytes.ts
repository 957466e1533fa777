// Bodies that are the same for every client: held once, however many connections wait for them to be read.

export function constantBytes(body: string | Buffer): Buffer {
  const given = typeof body === 'string' ? Buffer.from(body) : body
  // In memory of its own, which Node shares with no other buffer.
  const bytes = Buffer.allocUnsafeSlow(given.length)
  given.copy(bytes)
  constant.add(bytes.buffer)
  return bytes
}

export const areConstant = (bytes: Uint8Array): boolean => constant.has(bytes.buffer)

const constant = new WeakSet<ArrayBufferLike>()
