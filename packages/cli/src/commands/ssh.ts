// `shipway ssh`: a shell on a server, in the folder of an environment where one is named.
import { command, TARGET_FLAGS } from '../command.ts'
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { runProcess } from '../process.ts'
import { say } from '../report.ts'
import { commandInFolder } from '../ssh/command-in-folder.ts'
import { sshWords } from '../ssh/ssh-words.ts'
import { type SshAccess, withCertificate } from '../ssh/with-certificate.ts'
import { findTarget, type TargetFlags } from '../target/find-environment.ts'
import { chooseServer, listServers } from '../target/find-server.ts'
import { plainText } from '../terminal/sanitize.ts'

export const ssh = command({
  words: [{ name: '[command...]', description: 'what to run there in place of a shell, after --' }],
  flags: {
    ...TARGET_FLAGS,
    server: { value: 'server', description: 'name or id of a server, in place of an environment' },
  },
  notes:
    'For administrators. The platform certifies a key that is made for this call, for some minutes; the host key of the server is ' +
    'the one that the platform has pinned. What is done there is done as the user that deployments run as. ' +
    'Ends with the exit code of ssh.',
  examples: [
    ['shipway ssh -e staging', 'A shell in the folder of staging, on its server'],
    ['shipway ssh --server harbor', 'A shell on a server'],
    ['shipway ssh --server harbor -- docker ps', 'One command'],
  ],
  run: async (ctx, { words, flags }) => {
    if (ctx.flags.json) throw UsageError('A shell has no result to print as JSON', 'Leave out --json')
    const { server, environmentId } = await findSshTarget(ctx, flags)
    const client = await ctx.client()
    const wanted = {
      serverId: server.id,
      purpose: 'shell',
      ...(environmentId && { environment_id: environmentId }),
    } as const
    const code = await withCertificate(client, wanted, (access) => connect(ctx, access, words))
    if (ctx.signal.aborted) return EXIT.interrupted
    if (code === SSH_FAILED)
      say(ctx, `Where ssh could not connect, see what is wrong with the server: shipway server check ${server.id}`)
    return { passedOn: code }
  },
})

/** Or the command did: ssh tells no difference. */
const SSH_FAILED = 255

type SshFlags = TargetFlags & { readonly server?: string | undefined }
type SshTarget = { readonly server: { readonly id: number }; readonly environmentId?: number }

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
  // With a command to run, ssh makes no terminal by itself.
  const terminal = words.length === 0 && ctx.stdin.isTTY ? ['-t'] : []
  return runProcess([...sshWords(certificate, terminal), ...(inside === undefined ? [] : [inside])], { folder })
}
