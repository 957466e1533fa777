// Shapes that have a name of their own in the OpenAPI document. The name is not part of the schema itself, so that what
// validates and what serialises stays as it is.
import { actionRoutes } from '../actions.ts'
import { certificateRoutes } from '../certificates.ts'
import { Environment } from '../environments.ts'
import { organizationRoutes } from '../organizations.ts'
import { Me, Person, peopleRoutes } from '../people.ts'
import { Fault, Problem } from '../problem.ts'
import { Project, projectRoutes } from '../projects.ts'
import { ServerName, serverRoutes } from '../servers.ts'
import { Task, taskRoutes } from '../tasks.ts'
import { BasicAuth } from '../values/basic-auth.ts'
import { variableRoutes } from '../variables.ts'

/** What answers hold. */
export const SHAPES = {
  Me,
  Person,
  PersonalToken: peopleRoutes.listTokens.answer.element,
  Organization: organizationRoutes.getOrganization.answer,
  Member: organizationRoutes.updateMember.answer,
  Invitation: organizationRoutes.listInvitations.answer.element,
  AuditEvent: organizationRoutes.listAuditEvents.answer.element,
  Server: serverRoutes.getServer.answer,
  ServerName,
  Certificate: serverRoutes.createCertificate.answer,
  Project,
  DomainCertificate: certificateRoutes.getSuppliedCertificate.answer,
  Webhook: projectRoutes.regenerateWebhookSecret.answer,
  Delivery: projectRoutes.listDeliveries.answer.element,
  Environment,
  Task,
  Diagnostics: taskRoutes.getDiagnostics.answer,
  Variables: variableRoutes.listVariables.answer,
  Action: actionRoutes.listActions.answer.element,
  Artifact: actionRoutes.listArtifacts.answer.element,
  Problem,
  Fault,
} as const

/** What requests hold. */
export const REQUEST_SHAPES = { BasicAuth } as const
