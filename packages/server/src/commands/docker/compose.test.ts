// The exact words for Compose.
import { expect, test } from 'vitest'
import { recreate, resolveModel, startNewContainers } from './compose.ts'

const project = {
  name: 'shipway-abc-7',
  directory: '/release',
  files: ['/release/compose.yml', '/release/more.yml'],
  variableFiles: ['/tasks/12/defaults.env', '/environments/7/variables.env'],
  profiles: ['tools'],
}
const checked = {
  name: 'shipway-abc-7',
  directory: '/tasks/12',
  file: '/tasks/12/compose.json',
  variablesFile: '/environments/7/variables.env',
}
/** Without the script that clears the environment. */
const wordsOf = (command: readonly string[]) => command.slice(4).join(' ')
const always = '--ansi never --progress plain -p shipway-abc-7 --project-directory'
const variables = '--env-file /environments/7/variables.env'

test.each([
  [
    'the model, of the files in the checkout',
    resolveModel(project),
    `/release -f /release/compose.yml -f /release/more.yml --env-file /tasks/12/defaults.env ${variables} --profile tools config --format json`,
  ],
  [
    'one more container of each',
    startNewContainers(
      checked,
      new Map([
        ['web', 2],
        ['api', 1],
      ]),
    ),
    `/tasks/12 -f /tasks/12/compose.json ${variables} up --detach --no-deps --no-recreate --no-build --pull never --scale web=2 --scale api=1 -- web api`,
  ],
  [
    'another container in the place of one',
    recreate(checked, 'db'),
    `/tasks/12 -f /tasks/12/compose.json ${variables} up --detach --no-deps --force-recreate --no-build --pull never --scale db=1 -- db`,
  ],
])('%s: project, folder, files and variables are named every time', (_, command, words) => {
  expect(wordsOf(command)).toBe(`${always} ${words}`)
})

test('Compose sees nothing of what else is set on the server', () => {
  const [, , script = ''] = resolveModel(project)
  expect(script).toMatch(/^exec env -i /)
  expect([...script.matchAll(/([A-Z_]+)=/g)].map(([, name]) => name)).toEqual([
    ...['PATH', 'HOME', 'DOCKER_HOST', 'DOCKER_CONTEXT', 'DOCKER_CONFIG', 'XDG_RUNTIME_DIR', 'LANG'],
    ...[
      'DOCKER_CLI_HINTS',
      'COMPOSE_EXPERIMENTAL_GIT_REMOTE',
      'COMPOSE_EXPERIMENTAL_OCI_REMOTE',
      'COMPOSE_PARALLEL_LIMIT',
    ],
  ])
})
