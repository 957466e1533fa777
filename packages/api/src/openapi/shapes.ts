// Shapes that have a name of their own in the OpenAPI document. The name is not part of the schema itself, so that what
// validates and what serialises stays as it is.
import { Health, Platform } from '../about.ts'
import { Action, Artifact } from '../actions.ts'
import { DomainCertificate } from '../certificates.ts'
import { Channel, ChannelEvent } from '../channels.ts'
import { GitConnection, RepositoryName } from '../connections.ts'
import { DeviceRequest } from '../device-requests.ts'
import { Environment, EnvironmentStatus } from '../environments.ts'
import { AppSetup } from '../github-app.ts'
import { Grant } from '../grants.ts'
import { Hook, HookDelivery, HookEvent } from '../hooks.ts'
import { Invitation, Member, Organization } from '../organizations.ts'
import { AlertRule, AlertRuleSettings, AlertSeverity, Silence } from '../oversight/alerts.ts'
import { AuditEvent } from '../oversight/audit.ts'
import { ServerHealth } from '../oversight/server-health.ts'
import { ServiceState } from '../oversight/service-states.ts'
import { Overview } from '../overviews.ts'
import { Me, Person, PersonalToken, Role, ScopeName } from '../people.ts'
import { Fault, Problem } from '../problem.ts'
import { Delivery, Project, Webhook } from '../projects.ts'
import { RepositoryCheck } from '../repository-check.ts'
import { Check, Disk, Server, ServerName, SwarmNode } from '../servers.ts'
import { Session } from '../sessions.ts'
import { ProviderRequest } from '../sign-in/provider-sign-in.ts'
import { RecoveryCodes, SecondFactorProof } from '../sign-in/second-factor.ts'
import { Certificate } from '../ssh-access.ts'
import { Scale } from '../swarm.ts'
import {
  ActiveTask,
  Diagnostics,
  Durations,
  FailedStep,
  Phase,
  Step,
  StepStatus,
  Task,
  TaskCause,
  TaskKind,
  TaskReason,
  TaskStatus,
} from '../tasks.ts'
import { BasicAuth } from '../values/basic-auth.ts'
import { Branch } from '../values/branch.ts'
import { Capability } from '../values/capability.ts'
import { Email } from '../values/email.ts'
import { Hostname, ServerHostname, UnixUser } from '../values/hostname.ts'
import { Named, Sha } from '../values/ids.ts'
import { Limits } from '../values/limits.ts'
import { Name, Title } from '../values/name.ts'
import { FilterPattern, PullRequestChanges } from '../values/pull-request-rules.ts'
import { ReceiverUrl } from '../values/receiver-url.ts'
import { RepositoryAddress } from '../values/repository-address.ts'
import { SshPublicKey } from '../values/ssh-public-key.ts'
import { VariableKey } from '../values/variable.ts'
import { ProjectVariables, Variable, VariableChanges, Variables } from '../variables.ts'

/** What answers hold. */
export const SHAPES = {
  Me,
  Person,
  PersonalToken,
  Role,
  ScopeName,
  Session,
  RecoveryCodes,
  DeviceRequest,
  GitConnection,
  AppSetup,
  Channel,
  ChannelEvent,
  AlertRule,
  AlertRuleSettings,
  AlertSeverity,
  Silence,
  Organization,
  Member,
  Invitation,
  AuditEvent,
  Server,
  ServerName,
  ServerHealth,
  SwarmNode,
  Scale,
  Check,
  Disk,
  Certificate,
  Project,
  Overview,
  DomainCertificate,
  RepositoryCheck,
  Webhook,
  Delivery,
  Hook,
  HookEvent,
  HookDelivery,
  Environment,
  EnvironmentStatus,
  ServiceState,
  Grant,
  Capability,
  Task,
  TaskKind,
  TaskStatus,
  TaskReason,
  TaskCause,
  Phase,
  Step,
  StepStatus,
  FailedStep,
  ActiveTask,
  Diagnostics,
  Durations,
  Variable,
  Variables,
  ProjectVariables,
  Action,
  Artifact,
  Platform,
  ProviderRequest,
  Health,
  Named,
  Problem,
  Fault,
} as const

/** What requests hold. */
export const REQUEST_SHAPES = {
  BasicAuth,
  Branch,
  RepositoryName,
  Email,
  FilterPattern,
  Hostname,
  Limits,
  Name,
  PullRequestChanges,
  ReceiverUrl,
  RepositoryAddress,
  SecondFactorProof,
  ServerHostname,
  Sha,
  SshPublicKey,
  Title,
  UnixUser,
  VariableChanges,
  VariableKey,
} as const
