// `shipway ssh`: opens a shell on a server, in an environment's folder.
import { command, TARGET_FLAGS } from '../command.ts'
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { runProcess } from '../process.ts'
import { say } from '../report.ts'
import { commandInFolder } from '../ssh/command-in-folder.ts'
import { sshWords } from '../ssh/ssh-words.ts'
import { type SshAccess, withCertificate } from '../ssh/with-certificate.ts'
import { serverWord } from '../target/command-words.ts'
import { findTarget, type TargetFlags } from '../target/find-environment.ts'
import { chooseServer, listServers } from '../target/find-server.ts'
import { plainText } from '../terminal/sanitize.ts'

export const ssh = command({
  words: [{ name: '[command...]', description: 'command to run instead of a shell, after --' }],
  flags: {
    ...TARGET_FLAGS,
    server: { value: 'server', description: 'name or id of a server, instead of an environment' },
  },
  notes:
    'For admins. The platform signs a key that is made for this call and valid for a few minutes. The host key must be the one that ' +
    'the platform has pinned. The shell runs as the user that deployments run as. Exits with the exit code of ssh.',
  examples: [
    ['shipway ssh -e staging', 'A shell in the folder of staging, on its server'],
    ['shipway ssh --server harbor', 'A shell on a server'],
    ['shipway ssh --server harbor -- docker ps', 'One command'],
  ],
  run: async (ctx, { words, flags }) => {
    if (ctx.flags.json) throw UsageError('A shell has no result to print as JSON', 'Leave out --json')
    const { server, environmentId } = await findSshTarget(ctx, flags)
    const client = await ctx.client()
    const options = {
      serverId: server.id,
      purpose: 'shell',
      ...(environmentId && { environment_id: environmentId }),
    } as const
    const code = await withCertificate(client, options, (access) => connect(ctx, access, words))
    if (ctx.signal.aborted) return EXIT.interrupted
    if (code === SSH_FAILED)
      say(ctx, `If ssh could not connect, check the server: shipway servers check ${serverWord(server)}`)
    return { passedOn: code }
  },
})

/** ssh failed, or the remote command exited with 255. */
const SSH_FAILED = 255

type SshFlags = TargetFlags & { readonly server?: string | undefined }
type SshTarget = { readonly server: { readonly id: number; readonly name: string }; readonly environmentId?: number }

async function findSshTarget(ctx: Context, { server, ...target }: SshFlags): Promise<SshTarget> {
  if (server === undefined) {
    const { environment } = await findTarget(ctx, target)
    say(ctx, `${plainText(environment.name)} is on ${plainText(environment.server.name)}.`)
    return { server: environment.server, environmentId: environment.id }
  }
  if (target.environment !== undefined || target.project !== undefined)
    throw UsageError('Give a server or an environment, not both')
  return { server: chooseServer(server, await listServers(await ctx.client())) }
}

function connect(ctx: Context, { certificate, folder }: SshAccess, words: readonly string[]): Promise<number> {
  const inside = commandInFolder(certificate.folder, words)
  // With a remote command, ssh allocates no terminal by default.
  const terminal = words.length === 0 && ctx.stdin.isTTY ? ['-t'] : []
  return runProcess([...sshWords(certificate, terminal), ...(inside === undefined ? [] : [inside])], { folder })
}
