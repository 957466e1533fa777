// One ssh session that reads logs from the environment's server.
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
  /** Reading pauses until it resolves. */
  isTaken(): Promise<void>
}

/** The exit code of ssh or of the server's program, and the end of standard error. */
export type SessionEnd = { readonly code: number; readonly stderr: string }

export function readSession(client: Client, session: Session): Promise<SessionEnd> {
  const { environment, request, signal, onLine, isTaken } = session
  const options = { serverId: environment.server.id, purpose: 'logs', environment_id: environment.id } as const
  return withCertificate(client, options, async ({ certificate, folder }) => {
    const decoder = new TextDecoder()
    const lines = new LineSplitter((text) => {
      const line = readLogLine(text)
      if (line) onLine(line)
    }, LONGEST_LINE)
    let stderr = ''
    const code = await runProcess([...sshWords(certificate, ['-T']), ...wordsOf(request)], {
      folder,
      signal,
      onOutput: (bytes) => {
        lines.add(decoder.decode(bytes, { stream: true }))
        return isTaken()
      },
      onErrors: (bytes) => {
        stderr = `${stderr}${bytes.toString()}`.slice(-MOST_STDERR)
      },
    })
    lines.end()
    return { code, stderr }
  })
}

/** One word, since ssh joins words with spaces; none for an empty request. */
function wordsOf(request: LogRequest): string[] {
  const words = describeLogRequest(request)
  return words === '' ? [] : [words]
}

/** The server cuts lines at 64 KiB, plus time and service. */
const LONGEST_LINE = 80 * 1024
const MOST_STDERR = 8 * 1024
