// Every command by its name, in the order of the help. A command's own file is loaded when it is called.
import type { Command, Example } from './command.ts'

export type Entry = {
  readonly name: string
  readonly summary: string
} & (
  | { readonly load: () => Promise<Command> }
  | { readonly entries: readonly Entry[]; readonly examples: readonly [Example, ...Example[]] }
)

export const catalogue: readonly Entry[] = [
  { name: 'login', summary: 'Sign in to a platform', load: async () => (await import('./commands/login.ts')).login },
  { name: 'logout', summary: 'Sign out', load: async () => (await import('./commands/logout.ts')).logout },
  {
    name: 'whoami',
    summary: 'Who is signed in, where, and what as',
    load: async () => (await import('./commands/whoami.ts')).whoami,
  },
  { name: 'deploy', summary: 'Deploy an environment', load: async () => (await import('./commands/deploy.ts')).deploy },
  {
    name: 'diagnose',
    summary: 'Why the last failed deployment failed',
    load: async () => (await import('./commands/diagnose.ts')).diagnose,
  },
  {
    name: 'open',
    summary: 'Open the address of an environment in the browser',
    load: async () => (await import('./commands/open.ts')).open,
  },
  {
    name: 'vars',
    summary: 'Variables of an environment',
    examples: [
      ['shipway vars set API_URL=https://api.example -e staging', 'Set a variable'],
      ['shipway vars list -e staging', 'See which there are'],
    ],
    entries: [
      {
        name: 'list',
        summary: 'List the keys; values are never shown',
        load: async () => (await import('./commands/vars-list.ts')).varsList,
      },
      { name: 'set', summary: 'Set variables', load: async () => (await import('./commands/vars-set.ts')).varsSet },
      {
        name: 'unset',
        summary: 'Take variables away',
        load: async () => (await import('./commands/vars-unset.ts')).varsUnset,
      },
    ],
  },
  {
    name: 'tasks',
    summary: 'Deployments and other tasks of an environment',
    examples: [
      ['shipway tasks list -e staging', 'What has run'],
      ['shipway tasks log 1487 -f', 'What task 1487 prints, as it comes'],
    ],
    entries: [
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
        summary: 'Print the output of a task',
        load: async () => (await import('./commands/tasks-log.ts')).tasksLog,
      },
    ],
  },
  {
    name: 'projects',
    summary: 'Projects',
    examples: [['shipway projects list', 'See which there are']],
    entries: [
      {
        name: 'list',
        summary: 'List the projects',
        load: async () => (await import('./commands/projects-list.ts')).projectsList,
      },
      {
        name: 'create',
        summary: 'Make a project',
        load: async () => (await import('./commands/projects-create.ts')).projectsCreate,
      },
    ],
  },
  {
    name: 'envs',
    summary: 'Environments of a project',
    examples: [
      ['shipway envs list -p bookshop', 'See which there are'],
      ['shipway envs create staging -p bookshop --branch main', 'Make one'],
    ],
    entries: [
      {
        name: 'list',
        summary: 'List the environments',
        load: async () => (await import('./commands/envs-list.ts')).envsList,
      },
      {
        name: 'create',
        summary: 'Make an environment',
        load: async () => (await import('./commands/envs-create.ts')).envsCreate,
      },
      {
        name: 'remove',
        summary: 'Remove an environment from its server, then from the list',
        load: async () => (await import('./commands/envs-remove.ts')).envsRemove,
      },
    ],
  },
  {
    name: 'server',
    summary: 'Servers that environments run on',
    examples: [
      ['shipway server add harbor --hostname harbor.example.com', 'Register one'],
      ['shipway server check harbor', 'See whether it is ready'],
    ],
    entries: [
      {
        name: 'add',
        summary: 'Register a server',
        load: async () => (await import('./commands/server-add.ts')).serverAdd,
      },
      {
        name: 'check',
        summary: 'Look at each part of a server',
        load: async () => (await import('./commands/server-check.ts')).serverCheck,
      },
    ],
  },
  {
    name: 'completion',
    summary: 'Print a script that completes commands in a shell',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
]
