// Every command by its name, in the order of the help.
import type { Example } from './command.ts'

export type Entry = {
  readonly name: string
  readonly summary: string
  /** Where it is a group: its commands, and examples of them. */
  readonly group?: { readonly entries: readonly Entry[]; readonly examples: readonly [Example, ...Example[]] }
}

export const catalogue: readonly Entry[] = [
  { name: 'login', summary: 'Sign in to a platform' },
  { name: 'logout', summary: 'Sign out' },
  { name: 'whoami', summary: 'Who is signed in, where, and what as' },
  { name: 'init', summary: 'Write the .service.yml that a repository needs' },
  { name: 'check', summary: 'Judge a repository as a deployment would, before it is pushed' },
  { name: 'deploy', summary: 'Deploy an environment' },
  { name: 'diagnose', summary: 'Why the last failed deployment failed' },
  { name: 'open', summary: 'Open the address of an environment in the browser' },
  { name: 'logs', summary: 'What the services of an environment print, and have printed' },
  { name: 'ssh', summary: 'Open a shell on a server, in the folder of an environment' },
  {
    name: 'vars',
    summary: 'Variables of an environment',
    group: {
      examples: [
        ['shipway vars set API_URL=https://api.example -e staging', 'Set a variable'],
        ['shipway vars list -e staging', 'See which there are'],
      ],
      entries: [
        { name: 'list', summary: 'List the keys; values are never shown' },
        { name: 'set', summary: 'Set variables' },
        { name: 'unset', summary: 'Take variables away' },
      ],
    },
  },
  {
    name: 'tasks',
    summary: 'Deployments and other tasks of an environment',
    group: {
      examples: [
        ['shipway tasks list -e staging', 'What has run'],
        ['shipway tasks log 1487 -f', 'What task 1487 prints, as it comes'],
      ],
      entries: [
        { name: 'list', summary: 'List the tasks, newest first' },
        { name: 'show', summary: 'Show a task with its phases and steps' },
        { name: 'log', summary: 'Print the output of a task' },
      ],
    },
  },
  {
    name: 'actions',
    summary: 'On-demand commands of an environment',
    group: {
      examples: [
        ['shipway actions list -e staging', 'See which there are'],
        ['shipway actions run dump -e staging --wait', 'Run one, and wait for it'],
      ],
      entries: [
        { name: 'list', summary: 'List the actions of an environment' },
        { name: 'run', summary: 'Run an action' },
      ],
    },
  },
  {
    name: 'artifacts',
    summary: 'Files that actions left',
    group: {
      examples: [
        ['shipway artifacts list latest -e staging', 'What the newest run left'],
        ['shipway artifacts get 31 -o dump.sql', 'Download a file'],
      ],
      entries: [
        { name: 'list', summary: 'List the files that a run of an action left' },
        { name: 'get', summary: 'Download a file' },
      ],
    },
  },
  {
    name: 'projects',
    summary: 'Projects',
    group: {
      examples: [['shipway projects list', 'See which there are']],
      entries: [
        { name: 'list', summary: 'List the projects' },
        { name: 'create', summary: 'Make a project' },
      ],
    },
  },
  {
    name: 'envs',
    summary: 'Environments of a project',
    group: {
      examples: [
        ['shipway envs list -p bookshop', 'See which there are'],
        ['shipway envs create staging -p bookshop --branch main', 'Make one'],
      ],
      entries: [
        { name: 'list', summary: 'List the environments' },
        { name: 'create', summary: 'Make an environment' },
        { name: 'remove', summary: 'Remove an environment from its server, then from the list' },
      ],
    },
  },
  {
    name: 'server',
    summary: 'Servers that environments run on',
    group: {
      examples: [
        ['shipway server add harbor --hostname harbor.example.com', 'Register one'],
        ['shipway server check harbor', 'See whether it is ready'],
      ],
      entries: [
        { name: 'add', summary: 'Register a server' },
        { name: 'check', summary: 'Look at each part of a server' },
      ],
    },
  },
  { name: 'mcp', summary: 'Serve the Model Context Protocol, for assistants' },
  { name: 'completion', summary: 'Print a script that completes commands in a shell' },
]
