// Runs a one-off command with this terminal, or with its pipes, by a certificate that is good for this command alone.
import { CommandError, UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { type Ending, EXIT } from '../exit-code.ts'
import { isApiError } from '../http/api-failure.ts'
import { runProcess } from '../process.ts'
import { say } from '../report.ts'
import { serverWord } from '../target/command-words.ts'
import type { Target } from '../target/find-environment.ts'
import { sshWords } from './ssh-words.ts'
import { withCertificate } from './with-certificate.ts'

type TerminalRun = {
  readonly target: Target
  readonly words: readonly string[]
  readonly service: string | undefined
}

export async function openTerminal(
  ctx: Context,
  { target: { environment }, words, service }: TerminalRun,
): Promise<Ending> {
  if (ctx.flags.json) throw UsageError('A terminal has no result to print as JSON', 'Leave out --json, or add --detach')
  // A terminal would change what goes through a pipe.
  const terminal = ctx.stdin.isTTY === true && ctx.out.isTerminal
  const options = {
    serverId: environment.server.id,
    purpose: 'run' as const,
    environment_id: environment.id,
    command: [...words],
    terminal,
    ...(service !== undefined && { service }),
  }
  try {
    const code = await withCertificate(await ctx.client(), options, ({ certificate, folder }) =>
      runProcess(sshWords(certificate, [terminal ? '-t' : '-T']), { folder }),
    )
    if (ctx.signal.aborted) return EXIT.interrupted
    if (code === SSH_FAILED)
      say(ctx, `If ssh could not connect, check the server: shipway server check ${serverWord(environment.server)}`)
    return { passedOn: code }
  } catch (error) {
    if (!isApiError(error) || error.code !== 'ssh_not_set_up') throw error
    throw new CommandError(error.message, {
      code: error.code,
      advice: ['Without ssh, run it as a task: add --detach --wait'],
    })
  }
}

/** ssh failed, or the command exited with 255. */
const SSH_FAILED = 255
