// Commands for single containers, by id or name.
import type { Command } from '../command.ts'

/** Prints its definition as JSON, with values of variables. */
export const inspectContainer = (container: string): Command => [
  ...(['docker', 'inspect', '--type', 'container', '--format', '{{json .}}'] as const),
  ...['--', container],
]

/** Prints the address of the Engine that docker uses. */
export const findEngine: Command = ['docker', 'context', 'inspect', '--format', '{{.Endpoints.docker.Host}}']

/** Waits until it has stopped. */
export const stopContainer = (container: string): Command => ['docker', 'stop', '--', container]

export const startContainer = (container: string): Command => ['docker', 'start', '--', container]

/** Starts it, prints its output, and ends with its exit code. */
export const attachToContainer = (container: string): Command => ['docker', 'start', '--attach', '--', container]

/** It restarts neither by itself nor after a reboot. */
export const neverRestart = (container: string): Command => ['docker', 'update', '--restart', 'no', '--', container]

/** Runs a command in it, as its own user and in its own working folder. */
export const inContainer = (container: string, command: Command): Command => ['docker', 'exec', container, ...command]

/** Its volumes stay. */
export const removeContainer = (container: string): Command => ['docker', 'rm', '--force', '--', container]
