// Every command: its name, its one-line summary and its file, in the order of the help. The file is loaded when the command is called.
import type { Command, Example } from './command.ts'

export type CommandEntry = {
  readonly name: string
  readonly summary: string
  readonly load: () => Promise<Command>
}

export type CommandGroup = {
  readonly name: string
  readonly summary: string
  readonly examples: readonly [Example, ...Example[]]
  readonly commands: readonly CommandEntry[]
}

export const isGroup = (entry: CommandEntry | CommandGroup): entry is CommandGroup => 'commands' in entry

export const catalogue: readonly (CommandEntry | CommandGroup)[] = [
  { name: 'login', summary: 'Sign in to a platform', load: async () => (await import('./commands/login.ts')).login },
  { name: 'logout', summary: 'Sign out', load: async () => (await import('./commands/logout.ts')).logout },
  {
    name: 'whoami',
    summary: 'Show who is signed in, and where',
    load: async () => (await import('./commands/whoami.ts')).whoami,
  },
  {
    name: 'init',
    summary: 'Write the .service.yml that a repository needs',
    load: async () => (await import('./commands/init.ts')).init,
  },
  {
    name: 'check',
    summary: 'Check a repository before you push it',
    load: async () => (await import('./commands/check.ts')).check,
  },
  { name: 'deploy', summary: 'Deploy an environment', load: async () => (await import('./commands/deploy.ts')).deploy },
  {
    name: 'diagnose',
    summary: 'Show why the last failed deployment failed',
    load: async () => (await import('./commands/diagnose.ts')).diagnose,
  },
  {
    name: 'open',
    summary: 'Open an environment in the browser',
    load: async () => (await import('./commands/open.ts')).open,
  },
  {
    name: 'logs',
    summary: 'Read and follow service logs',
    load: async () => (await import('./commands/logs.ts')).logs,
  },
  {
    name: 'ssh',
    summary: "Open a shell on a server, in an environment's folder",
    load: async () => (await import('./commands/ssh.ts')).ssh,
  },
  {
    name: 'vars',
    summary: 'Manage variables of an environment',
    examples: [
      ['shipway vars set API_URL=https://api.example -e staging', 'Set a variable'],
      ['shipway vars list -e staging', 'List them'],
    ],
    commands: [
      {
        name: 'list',
        summary: 'List the keys; values are never shown',
        load: async () => (await import('./commands/vars-list.ts')).varsList,
      },
      { name: 'set', summary: 'Set variables', load: async () => (await import('./commands/vars-set.ts')).varsSet },
      {
        name: 'unset',
        summary: 'Delete variables',
        load: async () => (await import('./commands/vars-unset.ts')).varsUnset,
      },
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
      {
        name: 'list',
        summary: 'List the tasks, newest first',
        load: async () => (await import('./commands/tasks-list.ts')).tasksList,
      },
      {
        name: 'show',
        summary: 'Show a task with its phases and steps',
        load: async () => (await import('./commands/tasks-show.ts')).tasksShow,
      },
      {
        name: 'log',
        summary: 'Print or follow the log of a task',
        load: async () => (await import('./commands/tasks-log.ts')).tasksLog,
      },
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
      {
        name: 'list',
        summary: 'List the actions of an environment',
        load: async () => (await import('./commands/actions-list.ts')).actionsList,
      },
      {
        name: 'run',
        summary: 'Run an action',
        load: async () => (await import('./commands/actions-run.ts')).actionsRun,
      },
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
      {
        name: 'list',
        summary: 'List the files of an action run',
        load: async () => (await import('./commands/artifacts-list.ts')).artifactsList,
      },
      {
        name: 'get',
        summary: 'Download a file',
        load: async () => (await import('./commands/artifacts-get.ts')).artifactsGet,
      },
    ],
  },
  {
    name: 'projects',
    summary: 'Manage projects',
    examples: [['shipway projects list', 'List them']],
    commands: [
      {
        name: 'list',
        summary: 'List the projects',
        load: async () => (await import('./commands/projects-list.ts')).projectsList,
      },
      {
        name: 'create',
        summary: 'Create a project',
        load: async () => (await import('./commands/projects-create.ts')).projectsCreate,
      },
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
      {
        name: 'list',
        summary: 'List the environments',
        load: async () => (await import('./commands/envs-list.ts')).envsList,
      },
      {
        name: 'create',
        summary: 'Create an environment',
        load: async () => (await import('./commands/envs-create.ts')).envsCreate,
      },
      {
        name: 'remove',
        summary: 'Remove an environment and its data',
        load: async () => (await import('./commands/envs-remove.ts')).envsRemove,
      },
    ],
  },
  {
    name: 'server',
    summary: 'Manage servers',
    examples: [
      ['shipway server add harbor --hostname harbor.example.com', 'Add one'],
      ['shipway server check harbor', 'Check whether it is ready'],
    ],
    commands: [
      { name: 'add', summary: 'Add a server', load: async () => (await import('./commands/server-add.ts')).serverAdd },
      {
        name: 'check',
        summary: 'Check each part of a server',
        load: async () => (await import('./commands/server-check.ts')).serverCheck,
      },
    ],
  },
  {
    name: 'mcp',
    summary: 'Serve the Model Context Protocol for assistants',
    load: async () => (await import('./commands/mcp.ts')).mcp,
  },
  {
    name: 'completion',
    summary: 'Print a completion script for your shell',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
]
