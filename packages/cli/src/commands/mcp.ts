// `shipway mcp`: serves the Model Context Protocol on standard input and output.
import { command } from '../command.ts'
import { EXIT } from '../exit-code.ts'

export const mcp = command({
  flags: { allowWrite: { description: 'also deploy, and set and unset variables' } },
  notes:
    'Acts as the signed-in user. Without --allow-write there are two tools, get_deploy_diagnostics and list_variables, with a token that ' +
    'can only read. --allow-write adds deploy_environment, set_variables and unset_variables. A token in SHIPWAY_TOKEN is used as it is: ' +
    'pass one that can only read.',
  examples: [
    ['shipway mcp', 'For an assistant that can only read'],
    ['shipway mcp --allow-write', 'For one that can deploy and change variables'],
    ['claude mcp add shipway -- shipway mcp', 'Register it with an assistant'],
  ],
  run: async (ctx, { flags }) => {
    const { serveMcp } = await import('../mcp/serve-mcp.ts')
    await serveMcp({ ...ctx, mayWrite: flags.allowWrite, onError: (error) => ctx.err.print(error.message) })
    return EXIT.done
  },
})
