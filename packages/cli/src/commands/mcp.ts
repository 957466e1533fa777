// `shipway mcp`: a Model Context Protocol server for assistants, on standard input and output.
import { command } from '../command.ts'
import { EXIT } from '../exit-code.ts'

export const mcp = command({
  flags: { allowWrite: { description: 'also deploy, and set and unset variables' } },
  notes:
    'It acts as whoever is signed in. Without --allow-write there are two tools, get_deploy_diagnostics and list_variables, and the token ' +
    'can read and nothing else; with it also deploy_environment, set_variables and unset_variables. A token in SHIPWAY_TOKEN is used as ' +
    'it is: give one that can only read.',
  examples: [
    ['shipway mcp', 'For an assistant that may look'],
    ['shipway mcp --allow-write', 'For one that may deploy and change variables'],
    ['claude mcp add shipway -- shipway mcp', 'How an assistant is told of it'],
  ],
  run: async (ctx, { flags }) => {
    const { serveMcp } = await import('../mcp/serve-mcp.ts')
    await serveMcp({ ...ctx, mayWrite: flags.allowWrite, onError: (error) => ctx.err.print(error.message) })
    return EXIT.done
  },
})
