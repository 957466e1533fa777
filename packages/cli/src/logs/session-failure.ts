// Why a connection to a server gave no output, in words for whoever asked.
import { CommandError } from '../command-error.ts'
import { Missing } from '../target/choose-named.ts'
import { plainText } from '../terminal/neutralize.ts'
import type { SessionEnd } from './read-session.ts'

/** How the program on the server ends, beside 0 and what ssh itself ends with. */
export const READER_ENDS = { refused: 2, noService: 66, goesOn: 75, ssh: 255 } as const

type About = { readonly server: { readonly id: number; readonly name: string }; readonly service: string | undefined }

export function sessionFailure({ code, said }: SessionEnd, { server, service }: About): CommandError {
  if (code === READER_ENDS.noService) return noService(said, service ?? '')
  const check = `shipway server check ${server.id}`
  const words = plainText(said.trim().split('\n').at(-1) ?? '')
  const name = plainText(server.name)
  if (code === READER_ENDS.ssh) {
    return new CommandError(`ssh could not read from ${name}${words === '' ? '' : `: ${words}`}`, {
      code: 'server_not_reached',
      advice: [`See what is wrong with the server: ${check}`],
    })
  }
  return new CommandError(
    `${name} could not read the output and ended with ${code}${words === '' ? '' : `: ${words}`}`,
    {
      code: 'logs_not_read',
      // A server that was not deployed to since has another version of the program, or none.
      advice: [`This brings the program for logs to the server: ${check}`],
    },
  )
}

function noService(said: string, service: string): CommandError {
  const [, names = ''] = /^services: (.*)$/m.exec(said) ?? []
  const known = names.split(' ').filter(Boolean)
  return Missing(
    'service',
    service,
    known.map((name, id) => ({ id, name })),
  )
}
