// One connection to the server of an environment: a certificate, ssh, and the lines that come.
import type { Client, Environment } from '@shipway/api'
import { runProcess } from '../process.ts'
import { sshWords } from '../ssh/ssh-words.ts'
import { withCertificate } from '../ssh/with-certificate.ts'
import { LineSplitter } from '../tasks/line-splitter.ts'
import { type LogLine, readLogLine } from './log-line.ts'
import { describeLogRequest, type LogRequest } from './log-request.ts'

type Session = {
  readonly environment: Pick<Environment, 'id' | 'server'>
  readonly request: LogRequest
  readonly signal: AbortSignal
  onLine(line: LogLine): void
  /** Nothing more is read until then. */
  isTaken(): Promise<void>
}

/** Of ssh, or of the program on the server; and the end of what was said on standard error. */
export type SessionEnd = { readonly code: number; readonly said: string }

export function readSession(client: Client, session: Session): Promise<SessionEnd> {
  const { environment, request, signal, onLine, isTaken } = session
  const wanted = { serverId: environment.server.id, purpose: 'logs', environment_id: environment.id } as const
  return withCertificate(client, wanted, async ({ certificate, folder }) => {
    const decoder = new TextDecoder()
    const lines = new LineSplitter((text) => {
      const line = readLogLine(text)
      if (line) onLine(line)
    }, LONGEST_LINE)
    let said = ''
    const code = await runProcess([...sshWords(certificate, ['-T']), ...wordsOf(request)], {
      folder,
      signal,
      onOutput: (bytes) => {
        lines.add(decoder.decode(bytes, { stream: true }))
        return isTaken()
      },
      onErrors: (bytes) => {
        said = `${said}${bytes.toString()}`.slice(-MOST_SAID)
      },
    })
    lines.end()
    return { code, said }
  })
}

/** One word: ssh joins words by spaces. Without a request there is none. */
function wordsOf(request: LogRequest): string[] {
  const words = describeLogRequest(request)
  return words === '' ? [] : [words]
}

/** The server cuts lines at 64 KiB, to which time and service come. */
const LONGEST_LINE = 80 * 1024
const MOST_SAID = 8 * 1024
