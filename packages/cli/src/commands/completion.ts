// `shipway completion`: prints a script that completes commands, flags and names in a shell.
import { command, PROJECT_FLAGS } from '../command.ts'
import { UsageError } from '../command-error.ts'
import { completionScript, SHELLS } from '../completion-script.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { openClient } from '../http/open-client.ts'
import { nearest } from '../nearest.ts'
import { report } from '../report.ts'
import { listEnvironments } from '../target/find-environment.ts'
import { findProject, listProjects, type ProjectFlags } from '../target/find-project.ts'
import { listServers } from '../target/find-server.ts'
import { plainText } from '../terminal/sanitize.ts'

/** Names of the platform that a shell can complete. The completion scripts call the client for them. */
const NAME_KINDS = ['projects', 'environments', 'servers'] as const
type NameKind = (typeof NAME_KINDS)[number]

export const completion = command({
  words: [{ name: 'shell', description: SHELLS.join(', ') }],
  flags: PROJECT_FLAGS,
  notes:
    `The scripts complete commands and flags by themselves. For names they call the client with ${NAME_KINDS.join(', ')} in place of ` +
    'the shell, which prints the names that you can see.',
  examples: [
    ['source <(shipway completion bash)', 'In ~/.bashrc'],
    ['source <(shipway completion zsh)', 'In ~/.zshrc, after compinit'],
    ['shipway completion fish > ~/.config/fish/completions/shipway.fish', 'For fish'],
  ],
  run: async (ctx, { words: [name = ''], flags }) => {
    const kind = NAME_KINDS.find((each) => each === name)
    if (kind) {
      const names = await findNames(ctx, kind, flags)
      report(ctx, names, () => names.map(plainText))
      return EXIT.done
    }
    const shell = SHELLS.find((each) => each === name)
    if (!shell) {
      const near = nearest(name, SHELLS)
      throw UsageError(
        `Unknown shell ${plainText(name)}${near ? `. Did you mean ${near}?` : ''}`,
        `Use one of ${SHELLS.join(', ')}`,
      )
    }
    const script = completionScript(shell, await ctx.completions())
    report(ctx, { shell, script }, () => [script])
    return EXIT.done
  },
})

async function findNames(ctx: Context, kind: NameKind, flags: ProjectFlags): Promise<string[]> {
  const { config, flags: globals, folder } = ctx
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(TIMEOUT_MS)])
  const client = await openClient({ config, flags: globals, folder, signal })
  const list = {
    projects: () => listProjects(client),
    servers: () => listServers(client),
    environments: async () => {
      const { id } = await findProject({ config, flags: globals, folder, client: async () => client }, flags)
      return listEnvironments(client, id)
    },
  }
  return (await list[kind]()).map(({ name }) => name)
}

/** The shell waits for the names at its prompt. */
const TIMEOUT_MS = 3_000
