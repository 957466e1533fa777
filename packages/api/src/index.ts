// What others use of the contract. A schema and the type of what it holds have one name.
export { KeptMail, Platform } from './about.ts'
export { Action, Artifact } from './actions.ts'
export { ApiError, NoAnswer } from './api-error.ts'
export { DomainCertificate, SuppliedCertificate } from './certificates.ts'
export {
  CHANNEL_FIELDS,
  Channel,
  ChannelChanges,
  ChannelEvent,
  ChannelTest,
  ChannelType,
  NewChannel,
} from './channels.ts'
export { type Client, type ClientBody, type ClientRequest, createClient, type RawAnswer } from './client.ts'
export type { ClientOptions } from './client-request.ts'
export {
  CONNECTION_TYPES,
  ConnectedRepository,
  ConnectionChanges,
  ConnectionStatus,
  ConnectionType,
  GitConnection,
  NewConnection,
  RepositoryName,
  RepositoryReading,
} from './connections.ts'
export { DeviceAnswer, DeviceRequest } from './device-requests.ts'
export {
  Environment,
  EnvironmentChanges,
  EnvironmentStatus,
  NewEnvironment,
  type NewEnvironmentBody,
  Traffic,
} from './environments.ts'
export type { FollowRequest, LogEvent } from './follow-task-log.ts'
export type { AppSetup } from './github-app.ts'
export { Grant } from './grants.ts'
export { Hook, HookChanges, HookDelivery, HookEvent, NewHook } from './hooks.ts'
export {
  LIVE_AUTHENTICATE,
  LIVE_CLOSE,
  LIVE_SUBPROTOCOL,
  LiveEvent,
  LiveMessage,
  LiveOutputOptions,
  LivePosition,
  LiveRequest,
  LiveTopic,
  OutputLine,
} from './live.ts'
export type { Live, LiveConnection, LiveReading, LiveUpdate } from './live-client/open-live.ts'
export type { TerminalInput } from './live-client/terminal-input.ts'
export type { TerminalEnd, TerminalOrder } from './live-client/terminal-order.ts'
export {
  Invitation,
  InvitationAcceptance,
  InvitationPreview,
  Member,
  NewInvitation,
  Organization,
} from './organizations.ts'
export {
  ALERT_RULES,
  Alert,
  AlertRule,
  AlertRuleSettings,
  AlertSeverity,
  Silence,
  thresholdOf,
} from './oversight/alerts.ts'
export { AuditEvent, AuditFilter } from './oversight/audit.ts'
export { EnvironmentMetrics, MetricsRange, ServerMetrics } from './oversight/metrics.ts'
export { RemovedEnvironment } from './oversight/removed-environments.ts'
export { ServerHealth } from './oversight/server-health.ts'
export { ServiceOutput, ServiceState } from './oversight/service-states.ts'
export { Overview } from './overviews.ts'
export { PAGE_LIMIT } from './page.ts'
export { nextCursor, pages } from './pages.ts'
export {
  FirstUser,
  Me,
  MyChanges,
  NewToken,
  type NewTokenBody,
  Person,
  PersonalToken,
  ROLES,
  Role,
  SetUpState,
  SignIn,
} from './people.ts'
export { hasPermission, LEAST_ROLE, mayAbandon, mayGrant, mayOwn, type RolePermission } from './permissions.ts'
export { type ErrorCode, Fault, PROBLEMS, Problem } from './problem.ts'
export {
  Delivery,
  ForkPullRequests,
  NewProject,
  type NewProjectBody,
  Project,
  ProjectChanges,
  Tls,
  WaitingPullRequest,
  Webhook,
} from './projects.ts'
export { RepositoryCheck } from './repository-check.ts'
export { type Permission, type Route, type RouteResult, SCOPES, type Scope } from './route.ts'
export { type RouteName, type Routes, routes } from './routes.ts'
export {
  Check,
  Connection,
  Disk,
  EdgeKind,
  NewServer,
  type NewServerBody,
  Server,
  ServerChanges,
  ServerName,
  SwarmNode,
} from './servers.ts'
export { Session } from './sessions.ts'
export { Account, OrganizationSummary } from './sign-in/accounts.ts'
export { Identity, ProviderAnswer } from './sign-in/provider-sign-in.ts'
export { NewSecondFactor, RecoveryCodes, SecondFactor } from './sign-in/second-factor.ts'
export { Certificate, CertificateRequest, type CertificateRequestBody, SshPurpose } from './ssh-access.ts'
export { Scale } from './swarm.ts'
export {
  ActiveTask,
  Diagnostics,
  Durations,
  FailedStep,
  LogEnd,
  LogOutput,
  Phase,
  Step,
  StepKind,
  StepStatus,
  Task,
  TaskCause,
  TaskKind,
  TaskReason,
  TaskStatus,
} from './tasks.ts'
export { Upload, UploadBase } from './uploads.ts'
export { BasicAuth } from './values/basic-auth.ts'
export { Branch } from './values/branch.ts'
export { Capability } from './values/capability.ts'
export { defaultDomain, environmentNameOf } from './values/default-domain.ts'
export { Email } from './values/email.ts'
export { type EnvEntry, type ParsedEnv, parseEnv } from './values/env-file.ts'
export { Hostname, Port, ServerHostname, UnixUser } from './values/hostname.ts'
export { Id, Sha, Time } from './values/ids.ts'
export { Limits } from './values/limits.ts'
export { localPath } from './values/local-path.ts'
export { describeLogExpiry } from './values/log-expiry.ts'
export { EnvironmentName, Name, Title } from './values/name.ts'
export {
  DEFAULT_PULL_REQUEST_RULES,
  PullRequestChanges,
  PullRequestRules,
} from './values/pull-request-rules.ts'
export { Recipe } from './values/recipe.ts'
export { parseRepositoryAddress, RepositoryAddress, RepositoryHost } from './values/repository-address.ts'
export { SshPublicKey } from './values/ssh-public-key.ts'
export { warningsOf } from './values/task-warnings.ts'
export { reservedFor, VARIABLE_LIMITS, VariableKey, VariableValue } from './values/variable.ts'
export {
  ProjectVariables,
  SYSTEM_KEYS,
  VARIABLES_CHANGED_HINT,
  Variable,
  VariableChanges,
  Variables,
} from './variables.ts'
