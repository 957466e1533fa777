// Explains why a log session with a server failed.
import { CommandError } from '../command-error.ts'
import { serverWord } from '../target/command-words.ts'
import { NameNotFound } from '../target/find-by-name.ts'
import { plainText } from '../terminal/sanitize.ts'
import type { SessionEnd } from './read-session.ts'

/** Exit codes of the server's program, and of ssh itself. */
export const READER_EXIT = { refused: 2, noService: 66, reconnect: 75, ssh: 255 } as const

type FailedSession = {
  readonly server: { readonly id: number; readonly name: string }
  readonly service: string | undefined
}

export function sessionFailure({ code, stderr }: SessionEnd, { server, service }: FailedSession): CommandError {
  if (code === READER_EXIT.noService) return noService(stderr, service ?? '')
  const check = `shipway servers check ${serverWord(server)}`
  const words = plainText(stderr.trim().split('\n').at(-1) ?? '')
  const name = plainText(server.name)
  if (code === READER_EXIT.ssh) {
    return new CommandError(`ssh could not read from ${name}${words === '' ? '' : `: ${words}`}`, {
      code: 'server_not_reached',
      advice: [`Check the server: ${check}`],
    })
  }
  return new CommandError(
    `${name} could not read the logs and exited with ${code}${words === '' ? '' : `: ${words}`}`,
    {
      code: 'logs_not_read',
      // The server may have an old version of the program, or none. Deployments and checks install it.
      advice: [`Install the log reader on the server: ${check}`],
    },
  )
}

function noService(stderr: string, service: string): CommandError {
  const [, names = ''] = /^services: (.*)$/m.exec(stderr) ?? []
  const known = names.split(' ').filter(Boolean)
  return NameNotFound(
    'service',
    service,
    known.map((name, id) => ({ id, name })),
  )
}
