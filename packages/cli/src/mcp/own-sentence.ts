// What a failure means, in own words: by its code, and never by its message, which may repeat names and input.
import { PROBLEMS } from '@shipway/api/problem'
import type { Failure } from '../failure.ts'
import { type OwnWords, own, ownWord } from './own-words.ts'

export function ownSentence({ problem }: Pick<Failure, 'problem'>): OwnWords {
  const code = String(problem.code)
  const { id } = Object(problem.active_task)
  if (code === 'deployment_in_progress' && Number.isSafeInteger(id)) {
    return own`Task ${Number(id)} of this environment is queued or running. Ask get_deploy_diagnostics how it is doing.`
  }
  const sentence = OWN_FAILURES[code]
  if (sentence) return sentence
  const [, known] = Object.entries(PROBLEMS).find(([each]) => each === code) ?? []
  // The titles of the catalogue are the platform's own, and are taken from the client, not from the answer.
  return known
    ? own`The platform refused the call: ${known.title as OwnWords}.`
    : own`The call failed (${ownWord(code)}).`
}

const SIGN_IN = own`No sign-in of this machine is valid. Ask the user to sign in: shipway login`

const OWN_FAILURES: Readonly<Record<string, OwnWords>> = {
  not_signed_in: SIGN_IN,
  sign_in_ended: SIGN_IN,
  invalid_token: own`The platform refused SHIPWAY_TOKEN. Ask the user for a valid one.`,
  token_expired: own`SHIPWAY_TOKEN has expired. Ask the user for another one.`,
  project_not_found: own`There is no such project.`,
  environment_not_found: own`There is no such environment.`,
  project_ambiguous: own`Several projects have this name. Give the id of one.`,
  environment_ambiguous: own`Several environments have this name. Give the id of one.`,
  task_not_found: own`There is no such task. get_status names the newest one of an environment.`,
  no_task: own`The environment has no task yet. deploy_environment makes one.`,
  no_earlier_deployment: own`There is no earlier deployment to go back to.`,
  action_not_found: own`There is no such action in the live version.`,
  service_not_found: own`There is no such service. get_status lists the services of an environment.`,
  folder_not_found: own`There is no such folder below the one that this MCP server was started in. Start another server there.`,
  no_repository: own`The folder that this MCP server was started in is not in a git repository. Ask the user to start the server in the root of one.`,
  repository_outside: own`The root of the repository is not the folder that this MCP server was started in, so its files are not read. Ask the user to start the server in the root.`,
  no_commit: own`The repository has no commit yet. Commit once, then call again.`,
  unmerged: own`Some files have conflicts. Resolve them, then call again.`,
  too_large: own`The working tree is too large to send. Ignore what is not needed in .gitignore.`,
  usage: own`The call does not name what it is about.`,
  reading_only: own`This MCP server is read-only. Start it with --allow-write`,
  no_answer: own`The platform did not answer.`,
  answer_too_large: own`The response is larger than any that the platform sends, so it was not read.`,
  done_but_not_understood: own`The platform did what was asked for, but runs another release. Do not repeat the call.`,
}
