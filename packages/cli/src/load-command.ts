// Loads the file of a command when it is called, by the words that call it.
import type { Command } from './command.ts'

export function loadCommand(path: readonly string[]): Promise<Command> {
  const load = LOADERS[path.join(' ')]
  if (!load) throw new Error(`There is no file of the command ${path.join(' ')}`)
  return load()
}

const LOADERS: Readonly<Record<string, () => Promise<Command>>> = {
  login: async () => (await import('./commands/login.ts')).login,
  logout: async () => (await import('./commands/logout.ts')).logout,
  whoami: async () => (await import('./commands/whoami.ts')).whoami,
  init: async () => (await import('./commands/init.ts')).init,
  check: async () => (await import('./commands/check.ts')).check,
  deploy: async () => (await import('./commands/deploy.ts')).deploy,
  diagnose: async () => (await import('./commands/diagnose.ts')).diagnose,
  open: async () => (await import('./commands/open.ts')).open,
  logs: async () => (await import('./commands/logs.ts')).logs,
  ssh: async () => (await import('./commands/ssh.ts')).ssh,
  'vars list': async () => (await import('./commands/vars-list.ts')).varsList,
  'vars set': async () => (await import('./commands/vars-set.ts')).varsSet,
  'vars unset': async () => (await import('./commands/vars-unset.ts')).varsUnset,
  'tasks list': async () => (await import('./commands/tasks-list.ts')).tasksList,
  'tasks show': async () => (await import('./commands/tasks-show.ts')).tasksShow,
  'tasks log': async () => (await import('./commands/tasks-log.ts')).tasksLog,
  'actions list': async () => (await import('./commands/actions-list.ts')).actionsList,
  'actions run': async () => (await import('./commands/actions-run.ts')).actionsRun,
  'artifacts list': async () => (await import('./commands/artifacts-list.ts')).artifactsList,
  'artifacts get': async () => (await import('./commands/artifacts-get.ts')).artifactsGet,
  'projects list': async () => (await import('./commands/projects-list.ts')).projectsList,
  'projects create': async () => (await import('./commands/projects-create.ts')).projectsCreate,
  'envs list': async () => (await import('./commands/envs-list.ts')).envsList,
  'envs create': async () => (await import('./commands/envs-create.ts')).envsCreate,
  'envs remove': async () => (await import('./commands/envs-remove.ts')).envsRemove,
  'server add': async () => (await import('./commands/server-add.ts')).serverAdd,
  'server check': async () => (await import('./commands/server-check.ts')).serverCheck,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
  completion: async () => (await import('./commands/completion.ts')).completion,
}
