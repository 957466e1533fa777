// `shipway mcp`: serves the Model Context Protocol on standard input and output.
import { command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { checkFolder } from '../repository/check-repository.ts'

export const mcp = command({
  flags: {
    allowWrite: { description: 'also offer tools that change something' },
    tools: { value: 'set', choices: ['default', 'all'], description: 'which tools to offer' },
  },
  notes:
    'Acts as the signed-in user. Without --allow-write there are two tools, get_deploy_diagnostics and list_variables, with a token that ' +
    'can only read. --allow-write adds deploy_environment, set_variables and unset_variables. --tools all adds list_environments, ' +
    'get_status, get_task_log, get_service_logs and check_repository, and with --allow-write rollback_environment, cancel_task, ' +
    'run_action, deploy_working_tree and remove_working_tree. check_repository reads only below the folder that the server was started in, ' +
    'and deploy_working_tree needs this folder to be the root of the repository. A token in SHIPWAY_TOKEN is used as it is: pass one that ' +
    'can only read.',
  examples: [
    ['shipway mcp', 'For an assistant that can only read'],
    ['shipway mcp --allow-write', 'For one that can deploy and change variables'],
    ['shipway mcp --tools all', 'Also logs, states and checks of the repository'],
    ['shipway mcp --tools all --allow-write', 'Also deploy the working tree, roll back, and run actions'],
    ['claude mcp add shipway -- shipway mcp', 'Register it with an assistant'],
  ],
  run: async (ctx, { flags }) => {
    const { serveMcp } = await import('../mcp/serve-mcp.ts')
    const tools = { mayWrite: flags.allowWrite, isAll: flags.tools === 'all' }
    await serveMcp({ ...ctx, tools, checkFolder, onError: (error) => ctx.err.print(error.message) })
    return EXIT.done
  },
})
