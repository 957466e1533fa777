// The SMTP connection, which the sender can cut: the library's own timeouts start again with each byte from the server.
import { connect, type Socket } from 'node:net'

type Options = {
  readonly host?: string | undefined
  readonly port?: number | string | undefined
  readonly secure?: boolean | undefined
}
type Callback = (error: Error | null, opened: { readonly connection: Socket } | false) => void

const PORTS = { secure: 465, plain: 587 } as const

export function smtpSocket(signal: AbortSignal): (options: Options, callback: Callback) => void {
  return ({ host = 'localhost', port, secure }, callback) => {
    const socket = connect({ host, port: Number(port ?? (secure ? PORTS.secure : PORTS.plain)) })
    const cut = (): void => void socket.destroy(new Error('The mail server took too long'))
    if (signal.aborted) cut()
    signal.addEventListener('abort', cut)
    socket.once('close', () => signal.removeEventListener('abort', cut))
    const fail = (error: Error): void => callback(error, false)
    socket.once('error', fail)
    socket.once('connect', () => {
      socket.off('error', fail)
      callback(null, { connection: socket })
    })
  }
}
