// Deliveries of GitHub about check runs and check suites. Only the App that wrote a check run gets those of its buttons.
import { CHECK_ACTIONS } from '../../domain/repository/check-run.ts'
import { fieldOf, numericIdOf } from '../../domain/repository/reported-values.ts'
import type { CheckRequestEvent, ChecksChanged } from '../../domain/repository/repository-event.ts'
import { checksChanged, readAction, readPart, readWord } from './payload.ts'
import { Unused } from './webhook-dialect.ts'

export function checkRunEventOf(payload: unknown): CheckRequestEvent | ChecksChanged {
  const word = readAction(CHECK_RUN_ACTIONS, actionOf(payload))
  const run = readPart(payload, 'check_run')
  if (word === 'changed') return checksChanged(fieldOf(run, 'head_sha'))
  const asked = fieldOf(payload, 'requested_action', 'identifier')
  const action = word === 'rerequested' ? 'redeploy' : CHECK_ACTIONS.find((known) => known === asked)
  if (action === undefined) throw new Unused('action_not_used')
  const hostId = numericIdOf(fieldOf(run, 'id'))
  if (hostId === undefined) throw new Unused('incomplete_payload')
  return { kind: 'check_request', action, which: { hostId }, sender: senderOf(payload) }
}

const CHECK_RUN_ACTIONS = {
  created: 'changed',
  completed: 'changed',
  rerequested: 'rerequested',
  requested_action: 'requested_action',
} as const

/** All check runs of the App for one commit. */
export function checkSuiteEventOf(payload: unknown): CheckRequestEvent | ChecksChanged {
  const word = readAction({ completed: 'changed', rerequested: 'redeploy' } as const, actionOf(payload))
  const { sha, ...changed } = checksChanged(fieldOf(readPart(payload, 'check_suite'), 'head_sha'))
  if (word === 'changed') return { ...changed, sha }
  return { kind: 'check_request', action: word, which: { sha }, sender: senderOf(payload) }
}

const actionOf = (payload: unknown): string => readWord(fieldOf(payload, 'action'))

/** The name of an account becomes a part of a path of the API. */
function senderOf(payload: unknown): string {
  const sender = readWord(fieldOf(payload, 'sender', 'login'))
  if (!/^[A-Za-z0-9][\w.-]{0,99}(\[bot\])?$/.test(sender)) throw new Unused('incomplete_payload')
  return sender
}
