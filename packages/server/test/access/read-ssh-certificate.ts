// Reads a certificate of OpenSSH field by field (PROTOCOL.certkeys), to compare each with what it should be.

export type ReadCertificate = {
  readonly type: string
  /** The fields of the certified key, as they were written. */
  readonly key: Buffer
  readonly serial: bigint
  /** 1 is a user's, 2 a host's. */
  readonly kind: number
  readonly keyId: string
  readonly principals: readonly string[]
  readonly validAfter: number
  readonly validBefore: number
  readonly criticalOptions: Readonly<Record<string, string>>
  readonly extensions: Readonly<Record<string, string>>
  readonly authority: Buffer
}

export function readSshCertificate(line: string): ReadCertificate {
  const blob = Buffer.from(line.split(' ')[1] ?? '', 'base64')
  const reader = createReader(blob)
  const type = reader.text()
  reader.field()
  const begin = reader.at()
  for (let count = 0; count < keyFieldsOf(type); count++) reader.field()
  const key = blob.subarray(begin, reader.at())
  const serial = reader.uint64()
  const kind = reader.uint32()
  const keyId = reader.text()
  const principals = readAll(reader.field(), (inner) => inner.text())
  const [validAfter, validBefore] = [Number(reader.uint64()), Number(reader.uint64())]
  const criticalOptions = Object.fromEntries(readAll(reader.field(), readOption))
  const extensions = Object.fromEntries(readAll(reader.field(), readOption))
  if (reader.field().length > 0) throw new Error('The reserved field is empty')
  const authority = reader.field()
  reader.field()
  if (reader.at() !== blob.length) throw new Error('Something stands behind the signature')
  return { type, key, serial, kind, keyId, principals, validAfter, validBefore, criticalOptions, extensions, authority }
}

const keyFieldsOf = (type: string): number => (type.startsWith('ssh-ed25519-') ? 1 : 2)

function readOption(reader: Reader): [string, string] {
  const name = reader.text()
  const value = reader.field()
  return [name, value.length === 0 ? '' : createReader(value).text()]
}

function readAll<T>(bytes: Buffer, read: (reader: Reader) => T): T[] {
  const reader = createReader(bytes)
  const all: T[] = []
  while (reader.at() < bytes.length) all.push(read(reader))
  return all
}

type Reader = ReturnType<typeof createReader>

function createReader(bytes: Buffer) {
  let offset = 0
  const take = (length: number): Buffer => {
    if (offset + length > bytes.length) throw new Error('The certificate ends too early')
    offset += length
    return bytes.subarray(offset - length, offset)
  }
  const field = (): Buffer => take(take(4).readUInt32BE())
  return {
    at: () => offset,
    field,
    text: () => field().toString('utf8'),
    uint32: () => take(4).readUInt32BE(),
    uint64: () => take(8).readBigUInt64BE(),
  }
}
