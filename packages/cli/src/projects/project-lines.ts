// A project and its settings as lines.
import type { Project, RepositoryCheck } from '@shipway/api'
import { fieldLines } from '../terminal/fields.ts'
import { plainText } from '../terminal/sanitize.ts'
import { ago } from '../terminal/times.ts'

export function projectLines(project: Project): string[] {
  const { status_reason: reason } = project
  return [
    `${plainText(project.name)} (${project.id}) · ${project.status}`,
    ...(reason === null ? [] : [plainText(reason)]),
    '',
    ...fieldLines([
      ['Repository', `${plainText(project.repo_url)} · ${project.repository_host}`],
      ['Access', accessOf(project)],
      ['Default branch', plainText(project.default_branch)],
      ['Domain', [project.domain, ...project.custom_domains].map(plainText).join(', ')],
      ['TLS', project.tls],
      ['Basic auth', project.basic_auth && plainText(project.basic_auth.username)],
      ['Servers', project.servers.map(({ name }) => plainText(name)).join(', ')],
      ['Recipe', `${project.default_recipe}${project.manual_recipe === 'allowed' ? ' · manual allowed' : ''}`],
      ['Environments', `${project.environments_used} of ${project.environment_limit}`],
      ['Pull requests', pullRequestsOf(project)],
      ['Forks', project.fork_pull_requests === 'off' ? 'off' : 'after an approval'],
      ['Expire after', project.expire_after ?? 'never'],
      ['Deploy after', deployAfterOf(project)],
      [
        'Service file',
        project.service_file_digest === null ? 'of each commit' : 'of these settings where a commit has none',
      ],
      ['Uploads', project.upload_variables ? "get the project's variables" : "without the project's variables"],
      ['Host token', project.has_host_token ? 'set' : 'not set'],
      ['Owner', plainText(project.owner.name)],
      ['Webhook', plainText(project.webhook_url)],
      ['Deploy key', plainText(project.repository_key)],
      ['Created', ago(project.created_at)],
    ]),
  ]
}

export function checkLines({ status, message, fix, head, service_file: file, suggestion }: RepositoryCheck): string[] {
  return [
    `${status === 'ok' ? '✓' : '✗'} ${plainText(message)}`,
    ...(fix === null ? [] : [`  ${plainText(fix)}`]),
    ...(head === null ? [] : [`  ${head.sha.slice(0, 7)} ${plainText(head.message.split('\n', 1)[0] ?? '')}`]),
    ...(file === 'missing' && suggestion !== null
      ? ['  It has no .service.yml. Write it and push it: shipway init']
      : []),
  ]
}

/** Ready to be written into a file: control characters that a terminal would obey are left out. */
export function serviceFileLines(content: string | null): string[] {
  return content === null ? ['Every commit needs its own .service.yml'] : content.trimEnd().split('\n').map(plainText)
}

function accessOf({ repository_access: access }: Project): string | undefined {
  if (access === null) return undefined
  return access.reason === null ? access.status : `${access.status}: ${plainText(access.reason)}`
}

function pullRequestsOf({ pull_requests: rules }: Project): string {
  if (rules.enabled === false) return 'off'
  const only = [
    ...(rules.enabled === 'label' || rules.labels.length > 0 ? [`labels ${rules.labels.join(', ')}`] : []),
    ...(rules.target_branches.length > 0 ? [`into ${rules.target_branches.join(', ')}`] : []),
    ...(rules.paths.length > 0 ? [`paths ${rules.paths.join(', ')}`] : []),
    ...(rules.drafts ? [] : ['no drafts']),
    ...(rules.bots ? [] : ['no bots']),
  ]
  return only.length === 0 ? 'all' : plainText(only.join(' · '))
}

function deployAfterOf({ deploy_after: after, deploy_after_checks: checks, deploy_after_minutes: minutes }: Project) {
  if (after === null) return 'each push'
  const names = checks.length === 0 ? 'all checks' : `checks ${checks.map(plainText).join(', ')}`
  return `${names}${minutes === null ? '' : `, waiting at most ${minutes} minutes`}`
}
