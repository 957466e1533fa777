// Why a receiver was not reached, as a sentence for the list of deliveries.

export class ReceiverFault extends Error {
  override readonly name = 'ReceiverFault'
}

/** Error codes of Node, the network and TLS. */
export function receiverSentence(error: unknown): string {
  if (error instanceof ReceiverFault) return error.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const sentence = SENTENCES[code]
  if (sentence !== undefined) return sentence
  if (code.startsWith('HPE_')) return 'The receiver answered with something that is not HTTP'
  if (/CERT|SIGNED|ERR_TLS|ERR_SSL|EPROTO/.test(code))
    return `The connection is not secure: ${code}. Check the certificate of the receiver`
  return code === '' ? 'The receiver could not be reached' : `The receiver could not be reached: ${code}`
}

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The receiver refused the connection. Check that it runs, and its port',
  ECONNRESET: 'The receiver closed the connection without an answer',
  EPIPE: 'The receiver closed the connection without an answer',
  ENETUNREACH: 'There is no way to the network of the receiver',
  EHOSTUNREACH: 'There is no way to the receiver',
  ETIMEDOUT: 'The receiver did not take the connection in time',
  HPE_HEADER_OVERFLOW: 'The headers of the answer are too long',
}
