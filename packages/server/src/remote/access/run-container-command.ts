// The forced command of a certificate for a one-off command, whatever its holder requests: it runs one container.

/** The program is in the platform's folder on the server. */
export const RUN_CONTAINER = 'run-container.sh'

/** sshd hands it to the shell of the platform's user, in that user's home. The words of the command are in the container, never here. */
export function runContainerCommand(folderBelowHome: string, container: string): string {
  if (!/^[a-z0-9-]+$/.test(container)) throw new TypeError('The name of a container has other characters')
  return `sh ${folderBelowHome}/${RUN_CONTAINER} ${container}`
}
