// Audit events as the verb of a sentence; the target's name follows.
import type { AuditEvent } from '@shipway/api'

const DONE: Readonly<Record<string, string>> = {
  'action.started': 'ran an action in',
  'action.scheduled': 'ran an action by its schedule in',
  'audit.exported': 'exported the audit log of',
  'channel.created': 'added the channel',
  'channel.deleted': 'deleted the channel',
  'channel.updated': 'changed the channel',
  'deployment.started': 'started a deployment of',
  'environment.abandoned': 'abandoned the server of',
  'environment.approved': 'approved a commit of',
  'environment.created': 'created the environment',
  'environment.extended': 'restarted the time to live of',
  'environment.expired': 'removed, after its time to live,',
  'environment.grant_withdrawn': 'revoked a capability of',
  'environment.granted': 'granted a capability to',
  'environment.removed': 'deleted the environment',
  'environment.reset': 'reset the environment',
  'environment.scaled': 'scaled services of',
  'environment.silenced': 'silenced the alerts of',
  'environment.transferred': 'transferred',
  'environment.unsilenced': 'turned on the alerts of',
  'environment.unwatched': 'stopped watching',
  'environment.updated': 'changed the environment',
  'hook.created': 'added a webhook to',
  'hook.deleted': 'deleted the webhook to',
  'hook.secret_regenerated': 'regenerated the secret of the webhook to',
  'hook.turned_off': 'turned off the webhook to',
  'hook.updated': 'changed the webhook to',
  'environment.watched': 'started watching',
  'invitation.created': 'invited',
  'invitation.deleted': 'revoked the invitation of',
  'member.joined': 'joined the organization',
  'member.left': 'left the organization',
  'member.removed': 'removed',
  'member.updated': 'changed the role of',
  'organization.alert_rules_changed': 'changed the alert rules of',
  'organization.created': 'created the organization',
  'organization.updated': 'changed the organization',
  'project.certificate_deleted': 'removed the certificate of',
  'project.certificate_supplied': 'supplied a certificate for',
  'project.created': 'created the project',
  'project.deleted': 'deleted the project',
  'project.repository_key_regenerated': 'regenerated the repository key of',
  'project.repository_replaced': 'changed the repository of',
  'project.updated': 'changed the project',
  'project.variables_changed': 'changed the variables of the project',
  'project.webhook_secret_regenerated': 'regenerated the webhook secret of',
  'run.started': 'ran a command in',
  'run.terminal_opened': 'opened a terminal for a command in',
  'server.created': 'added the server',
  'server.deleted': 'removed the server',
  'server.join_line_shown': 'got the join line of the server',
  'server.manager_replaced': 'switched to another manager of the server',
  'server.node_activated': 'activated a node of the server',
  'server.node_drained': 'drained a node of the server',
  'server.updated': 'changed the server',
  'ssh_certificate.issued': 'got an ssh certificate for',
  'task.canceled': 'canceled a task of',
  'token.created': 'created the token',
  'token.revoked': 'revoked the token',
  'user.deleted': 'deleted the account of',
  'variables.changed': 'changed the variables of',
}

const REFUSED = /^(.+)_refused$/

/** Refusals use the event's name: `member.update_refused` becomes “was refused: member update”. */
export function describeAuditEvent({ action }: Pick<AuditEvent, 'action'>): string {
  const known = DONE[action]
  if (known !== undefined) return known
  const refused = REFUSED.exec(action)?.[1]
  const plain = (refused ?? action).replaceAll(/[._]/g, ' ')
  return refused === undefined ? plain : `was refused: ${plain}`
}

/** True if every word of the filter occurs in the displayed entry. */
export function matchesWords(event: AuditEvent, filter: string): boolean {
  const text = [
    event.actor?.name ?? 'the platform',
    describeAuditEvent(event),
    event.action,
    event.target.kind,
    event.target.name,
    ...event.fields,
    event.address ?? '',
  ]
    .join(' ')
    .toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
