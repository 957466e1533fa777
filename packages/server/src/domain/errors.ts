// Errors that a caller can act on. Each has a code of the catalogue and a sentence; every other error is a bug.
//
// An `AppError` has a code of the catalogue and a sentence for the caller. Any other error is a bug: it is logged with its cause, and the
// caller gets a 500 without it.
import { type ErrorCode, type Fault, PROBLEMS } from '@shipway/api/problem'
import type { Scope } from '@shipway/api/route'
import { describeLogExpiry } from '@shipway/api/values/log-expiry'
import { isDiskFull } from './disk-full.ts'

export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  /** Fields that the code adds to the answer, such as `limit` and `used`. */
  readonly extra: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    detail: string,
    more: { extra?: Record<string, unknown>; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(detail, { cause: more.cause })
    this.code = code
    this.extra = more.extra ?? {}
    this.headers = more.headers ?? {}
  }

  get status(): number {
    return PROBLEMS[this.code].status
  }
}

/** The same message for a record that does not exist, is hidden, or is outside the organization of the header. */
export const NotFound = (what: string) =>
  new AppError('not_found', `This ${what} does not exist, or you have no access to it`)

/** A request can have as many errors as bytes: this many are reported. */
export const MAX_REPORTED = 50

export function InvalidFields(faults: readonly Fault[]): AppError {
  const errors = faults.slice(0, MAX_REPORTED)
  return new AppError('validation_failed', errors.map(({ detail }) => detail).join('. '), { extra: { errors } })
}

export const InvalidField = (pointer: string, code: string, detail: string) =>
  InvalidFields([{ pointer, code, detail }])

export const Forbidden = (detail: string) => new AppError('insufficient_role', detail)

export const MissingScope = (scope: Scope) =>
  new AppError(
    'insufficient_scope',
    `This needs a token with the scope ${scope}. Create one in your profile, under Personal tokens`,
    { extra: { scope } },
  )

export const SessionRequired = () =>
  new AppError('session_required', 'No token can do this. Sign in to the dashboard in a browser, and do it there')

export const UnknownCode = () =>
  new AppError(
    'not_found',
    'This code is not known, was used already, or has expired. Compare it, or start again on the command line',
  )

export const TooManyCodes = (seconds: number) =>
  new AppError('rate_limited', `Too many wrong codes. Try again in ${Math.ceil(seconds / 60)} minutes`, {
    headers: { 'retry-after': String(seconds) },
  })

export const EnvironmentProtected = () =>
  new AppError('environment_protected', 'This environment is protected. Only its owner can change, deploy or remove it')

export const ProtectedFields = (fields: readonly string[]) =>
  new AppError(
    'environment_protected_fields',
    `While the environment is protected, its ${fields.join(' and ')} cannot be changed. Take the protection off and save first`,
    { extra: { fields } },
  )

/** Also for its owner: a reset deletes data, which protection is there to keep. */
export const ProtectedFromReset = () =>
  new AppError(
    'environment_protected_fields',
    'A protected environment cannot be reset. Take the protection off and save first',
  )

export const LimitReached = (used: number, limit: number) =>
  new AppError(
    'environment_limit_reached',
    `This project has ${used} of ${limit} environments. Delete one, or ask a platform administrator to raise the limit`,
    { extra: { limit, used } },
  )

export const DeploymentInProgress = (activeTask: { id: number; status: string; kind: string }) =>
  new AppError(
    'deployment_in_progress',
    'A deployment of this environment is queued or running. Wait for it, or cancel it',
    {
      extra: { active_task: activeTask },
    },
  )

/** The same code as for a deployment, since it is the same to a caller: something is under way, and `active_task` says what. */
export const ActionInProgress = (activeTask: { id: number; status: string; kind: string }) =>
  new AppError(
    'deployment_in_progress',
    'This action is queued or running in this environment already. Wait for it, or cancel it',
    { extra: { active_task: activeTask } },
  )

/** `reason` says how to migrate. */
export const FileActionDisabled = (reason: string) => new AppError('file_action_disabled', reason)

export const NothingServes = () =>
  new AppError(
    'nothing_deployed',
    'Nothing of this environment is deployed now, so there is nothing to run this in. Deploy it first',
  )

export const ArtifactExpired = () =>
  new AppError(
    'artifact_expired',
    'This file is no longer kept: its time was over, or its environment was removed or reset. Run the action again',
  )

export const ArtifactNotFound = (detail: string) => new AppError('artifact_not_found', detail)

export const TooManyDownloads = (most: number) =>
  new AppError('rate_limited', `You download ${most} files already. Wait for one of them to end`, {
    headers: { 'retry-after': '10' },
  })

export const UploadInProgress = () =>
  new AppError('upload_in_progress', 'Another upload is being received. Try again when it has ended')

export const UploadsFull = (mebibytes: number) =>
  new AppError(
    'uploads_full',
    `The uploads of this project fill its ${mebibytes} MiB. Remove environments of shipway up that are not needed`,
  )

export const UploadRefused = (detail: string, cause?: unknown) => new AppError('upload_refused', detail, { cause })

export const ApprovalRequired = () =>
  new AppError(
    'approval_required',
    "These are commits of a stranger's pull request. An administrator has to approve the commit first",
  )

export const WebhookSignatureInvalid = () => new AppError('webhook_signature_invalid', NOT_SIGNED)

/** The same words, and the rest of the body is not read. */
export const WebhookUnread = () =>
  new AppError('webhook_signature_invalid', NOT_SIGNED, { headers: { connection: 'close' } })

const NOT_SIGNED = 'The delivery is not signed with the webhook secret of a project here'

export const BodyTooLarge = (megabytes: number) =>
  new AppError('payload_too_large', `Send at most ${megabytes} MB`, { headers: { connection: 'close' } })

export const BodyTooComplex = (values: number) =>
  new AppError('payload_too_large', `The body has more than ${values} values or is nested too deep. Send less at once`)

export const BodyTooSlow = (seconds: number) =>
  new AppError('request_timeout', `The body did not arrive within ${seconds} seconds`, {
    headers: { connection: 'close' },
  })

/** No answer reaches the sender. Known, so that it is not logged as a fault of the platform. */
export const BodyBrokenOff = (cause: unknown) =>
  new AppError('malformed_request', 'The connection ended before the body did', { cause })

export const EnvironmentRemoving = () =>
  new AppError('environment_removing', 'This environment is being removed from its server')

export const ProjectDeleting = () => new AppError('project_deleting', 'This project is being deleted')

export const ConfirmationRequired = (environments: readonly { id: number; name: string }[]) =>
  new AppError(
    'confirmation_required',
    `Protected environments would be removed: ${environments.map(({ name }) => name).join(', ')}. Send {"confirm_protected": true} to go on`,
    { extra: { environments } },
  )

export const EndpointRemoved = (removedIn: string, detail: string) =>
  new AppError('endpoint_removed', detail, { extra: { removed_in: removedIn } })

export const TaskNotCreated = (cause: unknown) =>
  new AppError('task_not_created', 'The task could not be stored, so nothing was started. Try again in a moment', {
    headers: { 'retry-after': '5' },
    cause,
  })

export const InUse = (detail: string) => new AppError('in_use', detail)

export const NotASwarm = (name: string) =>
  new AppError(
    'not_a_swarm',
    `The server ${name} is one machine. Scaling, nodes and join lines are for servers of the runtime swarm`,
  )

export const ScaledMeanwhile = () =>
  new AppError('too_late', 'The environment was deployed or moved while its server was asked. Scale again')

/** The numbers are in the records, and the Swarm may not have them. */
export function NotScaledYet(error: AppError): AppError {
  const detail = `${error.message.replace(/\.$/, '')}. The numbers are kept, and every deployment uses them from now on. To give them to the containers that run now, scale again`
  return error.code === 'validation_failed'
    ? InvalidField('/services', 'cannot_scale', detail)
    : new AppError(error.code, detail, { extra: error.extra, cause: error })
}

export const RegistryRefused = (server: string, address: string, reason: string) =>
  new AppError('registry_refused', `${server} cannot sign in to the registry ${address}: ${reason}`)

export const NotAManager = (name: string) =>
  new AppError(
    'not_a_swarm',
    `The server ${name} manages no Swarm that works. See docker node ls there: most of its managers must be up. Where there is ` +
      'no Swarm yet, run the set-up line of the server',
  )

/** Does not reveal whose the other record is. */
export const SwarmTaken = (name: string) =>
  new AppError(
    'in_use',
    `The Swarm of ${name} is a server here already, in this organization or another one. A Swarm has one record, and visitors of one ` +
      'would get to containers of the other. Delete this record, or take the machine out of that Swarm',
  )

export const LastOwner = () =>
  new AppError('last_owner', 'This is the last owner of the organization. Make another member an owner first')

export const LastOwnerOf = (organization: string, name: string) =>
  new AppError('last_owner', `${name} is the last owner of ${organization}. Add another owner or delete it first`)

export const LastAdministrator = (name: string) =>
  new AppError('last_owner', `${name} is the last platform administrator. The platform keeps at least one`)

/** A bounded list, however many there are. */
export const NewOwnerNeeded = (environments: readonly { readonly id: number; readonly name: string }[]) =>
  new AppError(
    'new_owner_needed',
    'The member owns protected environments, which obey their owner alone. Name who owns them from now on as new_owner_id',
    { extra: { environments: environments.map(({ id, name }) => ({ id, name })) } },
  )

export const LinkExpired = () =>
  new AppError('link_expired', 'This link was used already or has expired. Ask for a new one')

export const InvitationVoid = () =>
  new AppError('link_expired', 'The sender of this invitation may no longer give this role. Ask for a new one')

export const SetUpDone = () => new AppError('setup_done', 'The platform is set up already. Sign in instead')

/** Temporary: the caller may retry after this many seconds. */
export const Unavailable = (detail: string, retrySeconds: number, cause?: unknown) =>
  new AppError('unavailable', detail, { headers: { 'retry-after': String(retrySeconds) }, cause })

/** The database could not do its part: no connection, too busy, out of space, or gone. */
export const DatabaseUnavailable = (cause: unknown) =>
  isDiskFull(cause)
    ? DiskFull(cause)
    : Unavailable('The database does not answer right now. Try again in a few seconds', 5, cause)

export const DiskFull = (cause?: unknown) =>
  Unavailable('A disk of the platform is full. Its administrator has to free some space', 30, cause)

/** Uploads leave some of the disk to everything else. */
export const UploadsLackDisk = (mebibytes: number) =>
  Unavailable(
    `The platform's disk has less than ${mebibytes} MiB free, too little for uploads. Push the branch and deploy it, ` +
      'or ask the administrator of the platform to free some space',
    300,
  )

/** A referenced record was deleted, or a deleted one came into use, at the same moment. A retry gets the exact error. */
export const ChangedMeanwhile = (cause: unknown) =>
  Unavailable('Something that this depends on was changed in the same moment. Try again', 1, cause)

export const TooLate = (detail: string) => new AppError('too_late', detail)

export const PreconditionFailed = () =>
  new AppError('precondition_failed', 'The record has changed since you read it. Read it again, then repeat the change')

export const RangeNotSatisfiable = (length: number) =>
  new AppError('range_not_satisfiable', `There are ${length} bytes so far. Ask for bytes before that`, {
    headers: { 'content-range': `bytes */${length}` },
  })

/** `SHIPWAY_TASK_LOG_DAYS` is over. */
export const LogExpired = (finishedAt: number | null, expiredAt: number) => {
  const log_expired_at = new Date(expiredAt).toISOString()
  const finished_at = finishedAt === null ? null : new Date(finishedAt).toISOString()
  return new AppError('log_expired', describeLogExpiry({ finished_at, log_expired_at }), { extra: { log_expired_at } })
}

export const TooManyFollowers = (most: number) =>
  new AppError('rate_limited', `You follow ${most} outputs already. Close one of them first`, {
    headers: { 'retry-after': '10' },
  })

export const TooManyLiveConnections = (seconds: number) =>
  new AppError('rate_limited', 'You have too many live connections. Close some pages or commands first', {
    headers: { 'retry-after': String(seconds) },
  })

export const TooManyChecks = (what: string, where: string) =>
  new AppError('rate_limited', `Several checks of ${what} ${where} are running already. Wait for one of them to end`, {
    headers: { 'retry-after': '10' },
  })

/** `policy` names the limit that was met where it is not the one of the route. */
export const RateLimited = (seconds: number, policy?: { name: string; most: number; windowMs: number }) =>
  new AppError('rate_limited', `Too many requests. Try again in ${seconds} seconds`, {
    headers: {
      'retry-after': String(seconds),
      ...(policy && {
        'ratelimit-policy': `"${policy.name}";q=${policy.most};w=${policy.windowMs / 1000}`,
        ratelimit: `"${policy.name}";r=0;t=${seconds}`,
      }),
    },
  })

export const TooManyInvitations = () =>
  new AppError(
    'rate_limited',
    'This address was sent several invitations lately, or your organization has sent many today. Try again later',
    { headers: { 'retry-after': '3600' } },
  )

export const SignInRequired = () =>
  new AppError('authentication_required', 'Send a bearer token in the Authorization header, or sign in')

export const SignInFirst = () =>
  new AppError('authentication_required', 'There is an account with this e-mail. Sign in, then open the link again')

/** For what reaches beyond one organization, asked with a token that does not. */
export const TokenBound = () =>
  new AppError('organization_not_accessible', 'This token is bound to one organization. Use one that is not')

/**
 * `stage` is how far the platform got: `connect`, `auth` or `host_key`. `publicError` is given where this says more than every caller may
 * know.
 */
export const ServerNotReached = (stage: string, detail: string, publicError?: AppError) =>
  new AppError('server_unreachable', detail, { extra: { stage }, cause: publicError })

export const ServerTimeout = (name: string, seconds: number) =>
  new AppError(
    'server_timeout',
    `The server ${name} did not answer within ${seconds} seconds. Check its load and try again`,
  )

export const SshNotSetUp = (name: string, setUpLine: string | null) =>
  new AppError(
    'ssh_not_set_up',
    `The server ${name} does not let in the people of your organization yet. Run its set-up line on the machine, once more if it ` +
      `was set up by an earlier version, then try again: ${setUpLine ?? 'see setup_command of the server'}`,
  )

export const NoSshHere = (name: string) =>
  new AppError(
    'ssh_not_set_up',
    `The server ${name} is the platform's own machine and has no ssh access. Ask the administrator of the platform, or register ` +
      'the machine once more with connection ssh',
  )

/** The platform carries terminals of its own machine alone. */
export const TerminalNeedsSsh = (name: string) =>
  new AppError(
    'ssh_not_set_up',
    `The terminal of a command on the server ${name} is opened over ssh: ask for a certificate`,
  )

export const TooManyTerminals = (most: number, whose: string) =>
  new AppError('rate_limited', `${whose} ${most} terminals open. Close one, or run the command with --detach`)

export const InvalidToken = () => new AppError('invalid_token', 'The token is not known here. Sign in again')

export const InvalidSetUpLink = () =>
  new AppError('invalid_token', 'This set-up link is not valid. Open the one that the server printed last')

export const TokenExpired = () => new AppError('token_expired', 'The token has expired. Refresh it or sign in again')

export const InvalidCredentials = () => new AppError('invalid_credentials', 'E-mail or password is wrong')

export const SetupExpired = () =>
  new AppError(
    'link_expired',
    'This step was used already, has expired, or was begun by another session. Start again from the connection. If GitHub has created ' +
      'an App that no connection has, delete it there first',
  )
