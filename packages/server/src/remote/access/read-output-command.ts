// The one command that a certificate for logs runs, whatever its holder asks for: it reads the output of one environment.

/** The program lies in the platform's folder on the server. What is asked of it stands in SSH_ORIGINAL_COMMAND. */
export const READ_OUTPUT = 'read-output.sh'

/** sshd hands it to the shell of the platform's user, in that user's home. Both values are the platform's own. */
export function readOutputCommand(folderBelowHome: string, environmentId: number): string {
  return `sh ${folderBelowHome}/${READ_OUTPUT} ${environmentId}`
}
