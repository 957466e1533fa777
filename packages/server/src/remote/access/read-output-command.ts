// The forced command of a certificate for logs, whatever its holder requests: it reads the output of one environment.

/** The program is in the platform's folder on the server. It reads the request from SSH_ORIGINAL_COMMAND. */
export const READ_OUTPUT = 'read-output.sh'

/** sshd hands it to the shell of the platform's user, in that user's home. Neither value comes from a user. */
export function readOutputCommand(folderBelowHome: string, environmentId: number): string {
  return `sh ${folderBelowHome}/${READ_OUTPUT} ${environmentId}`
}
