// Shapes that have a name of their own in the OpenAPI document. The name is not part of the schema itself, so that what
// validates and what serialises stays as it is.
import { Platform } from '../about.ts'
import { Action, Artifact } from '../actions.ts'
import { DomainCertificate } from '../certificates.ts'
import { DeviceRequest } from '../device-requests.ts'
import { Environment } from '../environments.ts'
import { Invitation, Member, Organization } from '../organizations.ts'
import { AuditEvent } from '../oversight/audit.ts'
import { ServerHealth } from '../oversight/server-health.ts'
import { Overview } from '../overviews.ts'
import { Me, Person, PersonalToken } from '../people.ts'
import { Fault, Problem } from '../problem.ts'
import { Delivery, Project, Webhook } from '../projects.ts'
import { RepositoryCheck } from '../repository-check.ts'
import { Server, ServerName } from '../servers.ts'
import { Session } from '../sessions.ts'
import { Certificate } from '../ssh-access.ts'
import { ActiveTask, Diagnostics, Durations, Task } from '../tasks.ts'
import { BasicAuth } from '../values/basic-auth.ts'
import { Variables } from '../variables.ts'

/** What answers hold. */
export const SHAPES = {
  Me,
  Person,
  PersonalToken,
  Session,
  DeviceRequest,
  Organization,
  Member,
  Invitation,
  AuditEvent,
  Server,
  ServerName,
  ServerHealth,
  Certificate,
  Project,
  Overview,
  DomainCertificate,
  RepositoryCheck,
  Webhook,
  Delivery,
  Environment,
  Task,
  ActiveTask,
  Diagnostics,
  Durations,
  Variables,
  Action,
  Artifact,
  Platform,
  Problem,
  Fault,
} as const

/** What requests hold. */
export const REQUEST_SHAPES = { BasicAuth } as const
