// Runs a one-off command with this terminal, or with its pipes: over ssh by a certificate that is good for this command alone, and on the
// platform's own machine through the platform.
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { type Ending, EXIT } from '../exit-code.ts'
import { runProcess } from '../process.ts'
import { say } from '../report.ts'
import { serverWord } from '../target/command-words.ts'
import { openPlatformTerminal } from './open-platform-terminal.ts'
import { sshWords } from './ssh-words.ts'
import { hasTerminal, type TerminalRun } from './terminal-run.ts'
import { withCertificate } from './with-certificate.ts'

export async function openTerminal(ctx: Context, run: TerminalRun): Promise<Ending> {
  if (ctx.flags.json) throw UsageError('A terminal has no result to print as JSON', 'Leave out --json, or add --detach')
  const client = await ctx.client()
  const { connection } = await client.getServer({ params: { id: run.target.environment.server.id } })
  return connection === 'local' ? openPlatformTerminal(ctx, run) : openSshTerminal(ctx, run)
}

async function openSshTerminal(
  ctx: Context,
  { target: { environment }, words, service }: TerminalRun,
): Promise<Ending> {
  const terminal = hasTerminal(ctx)
  const options = {
    serverId: environment.server.id,
    purpose: 'run' as const,
    environment_id: environment.id,
    command: [...words],
    terminal,
    ...(service !== undefined && { service }),
  }
  const code = await withCertificate(await ctx.client(), options, ({ certificate, folder }) =>
    runProcess(sshWords(certificate, [terminal ? '-t' : '-T']), { folder }),
  )
  if (ctx.signal.aborted) return EXIT.interrupted
  if (code === SSH_FAILED)
    say(ctx, `If ssh could not connect, check the server: shipway servers check ${serverWord(environment.server)}`)
  return { passedOn: code }
}

/** ssh failed, or the command exited with 255. */
const SSH_FAILED = 255
