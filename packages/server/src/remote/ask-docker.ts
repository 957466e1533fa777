// Talks to Docker on a server: to learn something from it, or to have it do something.
import type { Command } from '../commands/command.ts'
import { CheckFailed } from '../domain/tasks/step-fault.ts'
import { ask, type Question } from './ask.ts'
import type { Host } from './host.ts'

export function askDocker(host: Host, question: Command | Question): Promise<string> {
  return ask(host, question, `Docker on ${host.name} cannot be asked`)
}

/** For commands of docker on one container: they say the reason first, and then which container it was. */
export async function runDocker(host: Host, command: Command | Question, sentence: string): Promise<void> {
  await ask(host, command, ({ stderr }) => {
    const [reason = ''] = stderr.trim().split('\n')
    return CheckFailed(`${sentence}: ${reason}`)
  })
}
