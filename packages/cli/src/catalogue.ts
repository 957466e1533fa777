// Every command: its name, its one-line summary and its file, in the order of the help. The file is loaded when the command is called.
import { organizationGroups } from './catalogue/organization-groups.ts'
import { type CommandEntry, type CommandGroup, entry } from './command-entry.ts'

export const catalogue: readonly (CommandEntry | CommandGroup)[] = [
  entry('login', 'Sign in to a platform', async () => (await import('./commands/login.ts')).login),
  entry('logout', 'Sign out', async () => (await import('./commands/logout.ts')).logout),
  entry('whoami', 'Show who is signed in, and where', async () => (await import('./commands/whoami.ts')).whoami),
  entry('link', 'Bind this checkout to a project', async () => (await import('./commands/link.ts')).link),
  entry(
    'init',
    'Write the .service.yml that a repository needs',
    async () => (await import('./commands/init.ts')).init,
  ),
  entry('check', 'Check a repository before you push it', async () => (await import('./commands/check.ts')).check),
  entry('deploy', 'Deploy an environment', async () => (await import('./commands/deploy.ts')).deploy),
  entry(
    'up',
    'Deploy your working tree to an environment of your own',
    async () => (await import('./commands/up.ts')).up,
  ),
  entry('down', 'Remove the environment of your working tree', async () => (await import('./commands/down.ts')).down),
  entry('rollback', 'Go back to an earlier deployment', async () => (await import('./commands/rollback.ts')).rollback),
  entry('scale', 'Scale services on a Docker Swarm', async () => (await import('./commands/scale.ts')).scale),
  entry('cancel', 'Cancel a task', async () => (await import('./commands/cancel.ts')).cancel),
  entry(
    'reset',
    'Delete the data of an environment and deploy it again',
    async () => (await import('./commands/reset.ts')).reset,
  ),
  entry(
    'diagnose',
    'Show why the last failed deployment failed',
    async () => (await import('./commands/diagnose.ts')).diagnose,
  ),
  entry(
    'status',
    'Show the services of an environment: state, CPU, memory, restarts',
    async () => (await import('./commands/status.ts')).status,
  ),
  entry('open', 'Open an environment in the browser', async () => (await import('./commands/open.ts')).open),
  entry('logs', 'Read and follow service logs', async () => (await import('./commands/logs.ts')).logs),
  entry(
    'ssh',
    "Open a shell on a server, in an environment's folder",
    async () => (await import('./commands/ssh.ts')).ssh,
  ),
  entry('run', 'Run a one-off command in a new container', async () => (await import('./commands/run.ts')).run),
  {
    name: 'vars',
    summary: 'Manage variables of an environment',
    examples: [
      ['shipway vars set API_URL=https://api.example -e staging', 'Set a variable'],
      ['shipway vars list -e staging', 'List them'],
    ],
    commands: [
      entry(
        'list',
        'List the keys; values are never shown',
        async () => (await import('./commands/vars-list.ts')).varsList,
      ),
      entry('set', 'Set variables', async () => (await import('./commands/vars-set.ts')).varsSet),
      entry('unset', 'Delete variables', async () => (await import('./commands/vars-unset.ts')).varsUnset),
    ],
  },
  {
    name: 'tasks',
    summary: 'Show deployments and other tasks',
    examples: [
      ['shipway tasks list -e staging', 'List the latest tasks'],
      ['shipway tasks log 1487 -f', 'Follow the log of task 1487'],
    ],
    commands: [
      entry('list', 'List the tasks, newest first', async () => (await import('./commands/tasks-list.ts')).tasksList),
      entry(
        'show',
        'Show a task with its phases and steps',
        async () => (await import('./commands/tasks-show.ts')).tasksShow,
      ),
      entry('log', 'Print or follow the log of a task', async () => (await import('./commands/tasks-log.ts')).tasksLog),
    ],
  },
  {
    name: 'actions',
    summary: 'Run on-demand commands of an environment',
    examples: [
      ['shipway actions list -e staging', 'List them'],
      ['shipway actions run dump -e staging --wait', 'Run one and wait for it'],
    ],
    commands: [
      entry(
        'list',
        'List the actions of an environment',
        async () => (await import('./commands/actions-list.ts')).actionsList,
      ),
      entry('run', 'Run an action', async () => (await import('./commands/actions-run.ts')).actionsRun),
    ],
  },
  {
    name: 'artifacts',
    summary: 'Download files that actions wrote',
    examples: [
      ['shipway artifacts list latest -e staging', 'Files of the latest run'],
      ['shipway artifacts get 31 -o dump.sql', 'Download a file'],
    ],
    commands: [
      entry(
        'list',
        'List the files of an action run',
        async () => (await import('./commands/artifacts-list.ts')).artifactsList,
      ),
      entry('get', 'Download a file', async () => (await import('./commands/artifacts-get.ts')).artifactsGet),
    ],
  },
  {
    name: 'projects',
    summary: 'Manage projects',
    examples: [
      ['shipway projects list', 'List them'],
      ['shipway projects edit bookshop --expire-after 7d', 'Change a setting'],
    ],
    commands: [
      entry('list', 'List the projects', async () => (await import('./commands/projects-list.ts')).projectsList),
      entry('create', 'Create a project', async () => (await import('./commands/projects-create.ts')).projectsCreate),
      entry(
        'show',
        'Show a project and its settings',
        async () => (await import('./commands/projects-show.ts')).projectsShow,
      ),
      entry(
        'edit',
        'Change settings of a project',
        async () => (await import('./commands/projects-edit.ts')).projectsEdit,
      ),
      entry(
        'delete',
        'Delete a project and its environments',
        async () => (await import('./commands/projects-delete.ts')).projectsDelete,
      ),
      entry(
        'rotate',
        'Replace the deploy key or the webhook secret',
        async () => (await import('./commands/projects-rotate.ts')).projectsRotate,
      ),
      entry(
        'waiting',
        'List the pull requests that wait for an environment',
        async () => (await import('./commands/projects-waiting.ts')).projectsWaiting,
      ),
      entry(
        'deliveries',
        'List what the git host delivered',
        async () => (await import('./commands/projects-deliveries.ts')).projectsDeliveries,
      ),
    ],
  },
  {
    name: 'envs',
    summary: 'Manage environments',
    examples: [
      ['shipway envs list -p bookshop', 'List them'],
      ['shipway envs create staging -p bookshop --branch main', 'Create one'],
    ],
    commands: [
      entry('list', 'List the environments', async () => (await import('./commands/envs-list.ts')).envsList),
      entry('create', 'Create an environment', async () => (await import('./commands/envs-create.ts')).envsCreate),
      entry(
        'show',
        'Show an environment and its settings',
        async () => (await import('./commands/envs-show.ts')).envsShow,
      ),
      entry(
        'edit',
        'Change settings of an environment',
        async () => (await import('./commands/envs-edit.ts')).envsEdit,
      ),
      entry(
        'extend',
        'Restart the time until an environment is removed',
        async () => (await import('./commands/envs-extend.ts')).envsExtend,
      ),
      entry(
        'remove',
        'Remove an environment and its data',
        async () => (await import('./commands/envs-remove.ts')).envsRemove,
      ),
      entry(
        'approve',
        'Deploy one commit of a fork',
        async () => (await import('./commands/envs-approve.ts')).envsApprove,
      ),
      entry(
        'watch',
        'Get a mail when a deployment fails',
        async () => (await import('./commands/envs-watch.ts')).envsWatch,
      ),
      entry(
        'silence',
        'Send no alerts for a while',
        async () => (await import('./commands/envs-silence.ts')).envsSilence,
      ),
      entry(
        'grants',
        'Show and change what its containers may do',
        async () => (await import('./commands/envs-grants.ts')).envsGrants,
      ),
    ],
  },
  {
    name: 'servers',
    alias: 'server',
    summary: 'Manage servers',
    examples: [
      ['shipway servers add harbor --hostname harbor.example.com', 'Add one'],
      ['shipway servers check harbor', 'Check whether it is ready'],
    ],
    commands: [
      entry('list', 'List the servers', async () => (await import('./commands/servers-list.ts')).serversList),
      entry('add', 'Add a server', async () => (await import('./commands/servers-add.ts')).serversAdd),
      entry(
        'show',
        'Show a server, and what runs on it',
        async () => (await import('./commands/servers-show.ts')).serversShow,
      ),
      entry(
        'check',
        'Check each part of a server',
        async () => (await import('./commands/servers-check.ts')).serversCheck,
      ),
      entry(
        'edit',
        'Change how a server is reached',
        async () => (await import('./commands/servers-edit.ts')).serversEdit,
      ),
      entry(
        'nodes',
        'List the nodes of a Docker Swarm',
        async () => (await import('./commands/servers-nodes.ts')).serversNodes,
      ),
      entry(
        'join',
        'Print the line that joins a machine to a Docker Swarm',
        async () => (await import('./commands/servers-join.ts')).serversJoin,
      ),
      entry(
        'drain',
        'Move the containers of a node to other nodes',
        async () => (await import('./commands/servers-drain.ts')).serversDrain,
      ),
      entry(
        'activate',
        'Let a node have containers again',
        async () => (await import('./commands/servers-activate.ts')).serversActivate,
      ),
      entry(
        'remove',
        'Remove a server that no project uses',
        async () => (await import('./commands/servers-remove.ts')).serversRemove,
      ),
    ],
  },
  ...organizationGroups,
  entry('audit', 'Show who changed what', async () => (await import('./commands/audit.ts')).audit),
  entry('alerts', 'Show what is wrong now, and what was', async () => (await import('./commands/alerts.ts')).alerts),
  {
    name: 'channels',
    summary: 'Manage where alerts are sent',
    examples: [
      ['shipway channels list', 'List them'],
      ['shipway channels add slack --address -', 'Add one; its address is typed and not shown'],
    ],
    commands: [
      entry('list', 'List the channels', async () => (await import('./commands/channels-list.ts')).channelsList),
      entry('add', 'Add a channel', async () => (await import('./commands/channels-add.ts')).channelsAdd),
      entry(
        'edit',
        'Change a channel, or turn it off and on',
        async () => (await import('./commands/channels-edit.ts')).channelsEdit,
      ),
      entry('remove', 'Delete a channel', async () => (await import('./commands/channels-remove.ts')).channelsRemove),
      entry('test', 'Send a test message', async () => (await import('./commands/channels-test.ts')).channelsTest),
    ],
  },
  {
    name: 'connections',
    summary: 'Connect git hosts',
    examples: [
      ['shipway connections list', 'List them'],
      ['shipway connections add gitlab', 'Connect GitLab; the token is typed and not shown'],
    ],
    commands: [
      entry(
        'list',
        'List the connected git hosts',
        async () => (await import('./commands/connections-list.ts')).connectionsList,
      ),
      entry('add', 'Connect a git host', async () => (await import('./commands/connections-add.ts')).connectionsAdd),
      entry(
        'show',
        'Show a connection and its repositories',
        async () => (await import('./commands/connections-show.ts')).connectionsShow,
      ),
      entry(
        'edit',
        'Rename a connection, or replace its token',
        async () => (await import('./commands/connections-edit.ts')).connectionsEdit,
      ),
      entry(
        'remove',
        'Delete a connection',
        async () => (await import('./commands/connections-remove.ts')).connectionsRemove,
      ),
    ],
  },
  {
    name: 'import',
    summary: 'Import applications of another platform',
    examples: [
      ['shipway import coolify --address https://coolify.example.com', 'See what would be made, and confirm'],
      ['shipway import compose', 'The compose file of this folder'],
    ],
    commands: [
      entry('coolify', 'Import from Coolify', async () => (await import('./commands/import/coolify.ts')).importCoolify),
      entry('dokploy', 'Import from Dokploy', async () => (await import('./commands/import/dokploy.ts')).importDokploy),
      entry('heroku', 'Import from Heroku', async () => (await import('./commands/import/heroku.ts')).importHeroku),
      entry(
        'compose',
        'Import a folder with a compose file',
        async () => (await import('./commands/import/compose.ts')).importCompose,
      ),
    ],
  },
  entry('mcp', 'Serve the Model Context Protocol for assistants', async () => (await import('./commands/mcp.ts')).mcp),
  entry(
    'skill',
    'Print a guide to these commands for coding assistants',
    async () => (await import('./commands/skill.ts')).skill,
  ),
  entry(
    'upgrade',
    'Fetch the client that fits the platform',
    async () => (await import('./commands/upgrade.ts')).upgrade,
  ),
  entry(
    'version',
    'Show the versions of the client and the platform',
    async () => (await import('./commands/version.ts')).version,
  ),
  entry(
    'completion',
    'Print a completion script for your shell',
    async () => (await import('./commands/completion.ts')).completion,
  ),
]
