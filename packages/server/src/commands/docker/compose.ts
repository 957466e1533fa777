// Commands of docker compose. Compose runs with an empty environment: compose files must not read variables of the server.
import type { Command } from '../command.ts'
import { loadScript, shell } from '../script.ts'

/** The compose files of a checkout, to be resolved and checked; nothing else is ever done with them. */
export type ComposeProject = {
  readonly name: string
  /** In the checkout. */
  readonly directory: string
  /** Absolute, in the order in which they are merged. */
  readonly files: readonly string[]
  /** A later one wins over an earlier one. */
  readonly variableFiles: readonly string[]
  readonly profiles: readonly string[]
}

/** What was checked, as one file that leads to no other. */
export type CheckedProject = {
  readonly name: string
  /** Of the task: nothing of the repository is in it. */
  readonly directory: string
  readonly file: string
  readonly variablesFile: string
}

function compose(project: ComposeProject, ...words: readonly string[]): Command {
  return shell(
    composeScript,
    'compose',
    ...['--ansi', 'never', '--progress', 'plain'],
    ...['-p', project.name, '--project-directory', project.directory],
    ...project.files.flatMap((file) => ['-f', file]),
    ...project.variableFiles.flatMap((file) => ['--env-file', file]),
    ...project.profiles.flatMap((profile) => ['--profile', profile]),
    ...words,
  )
}

const composeScript = loadScript(import.meta.url, 'compose')

/** The model as Compose resolves it, variables and all: it must not be shown or stored. */
export const resolveModel = (project: ComposeProject): Command => compose(project, 'config', '--format', 'json')

/** Starts one more container of each service beside the existing ones. `scale` is the resulting number. */
export const startNewContainers = (project: CheckedProject, scale: ReadonlyMap<string, number>): Command =>
  compose(
    withOneFile(project),
    ...['up', '--detach', '--no-deps', '--no-recreate', '--no-build', '--pull', 'never'],
    ...[...scale].flatMap(([service, count]) => ['--scale', `${service}=${count}`]),
    ...['--', ...scale.keys()],
  )

/** Replaces the container of a service. */
export const recreate = (project: CheckedProject, service: string): Command =>
  compose(
    withOneFile(project),
    ...['up', '--detach', '--no-deps', '--force-recreate', '--no-build', '--pull', 'never', '--scale', `${service}=1`],
    ...['--', service],
  )

type OneOff = {
  readonly service: string
  readonly container: string
  readonly labels: Readonly<Record<string, string>>
  readonly script: string
}

/** Runs a script in a container of a service that publishes no port and has none of its names, and removes it. */
export const runOnce = (project: CheckedProject, { service, container, labels, script }: OneOff): Command =>
  compose(
    withOneFile(project),
    ...['run', '--rm', '--no-deps', '--no-TTY', '--interactive=false', '--name', container, '--entrypoint', 'sh'],
    ...Object.entries(labels).flatMap(([name, value]) => ['--label', `${name}=${value}`]),
    // The script is one word, which only the shell in the container reads.
    ...['--', service, '-e', '-c', script],
  )

const withOneFile = ({ file, variablesFile, ...project }: CheckedProject): ComposeProject => ({
  ...project,
  files: [file],
  variableFiles: [variablesFile],
  profiles: [],
})
