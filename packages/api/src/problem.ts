// Every error that the API can answer: its code, its status, its title. Codes never change.
import { z } from 'zod'

export const PROBLEMS = {
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  malformed_request: { status: 400, title: 'The request could not be read' },
  invalid_organization_header: { status: 400, title: 'X-Service-Organization is not an organization id' },
  authentication_required: { status: 401, title: 'Sign in first' },
  invalid_token: { status: 401, title: 'The token is not valid' },
  token_expired: { status: 401, title: 'The token has expired' },
  invalid_credentials: { status: 401, title: 'E-mail or password is wrong' },
  otp_required: { status: 401, title: 'A two-factor code is needed' },
  invalid_otp: { status: 401, title: 'The two-factor code is wrong' },
  webhook_signature_invalid: { status: 401, title: 'The signature does not match' },
  insufficient_scope: { status: 403, title: 'The token lacks a scope' },
  insufficient_role: { status: 403, title: 'Your role does not allow this' },
  environment_protected: { status: 403, title: 'The environment is protected' },
  organization_not_accessible: { status: 403, title: 'The token is bound to another organization' },
  session_required: { status: 403, title: 'A token cannot do this' },
  cross_origin_refused: { status: 403, title: 'The request came from another site' },
  not_found: { status: 404, title: 'Not found' },
  endpoint_not_found: { status: 404, title: 'No such endpoint' },
  artifact_not_found: { status: 404, title: 'The artifact was not found' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  deployment_in_progress: { status: 409, title: 'A deployment is queued or running' },
  environment_protected_fields: { status: 409, title: 'Protection keeps this field as it is' },
  environment_limit_reached: { status: 409, title: 'The project is at its environment limit' },
  confirmation_required: { status: 409, title: 'Protected environments need confirmation' },
  approval_required: { status: 409, title: 'The commit needs approval' },
  environment_removing: { status: 409, title: 'The environment is being removed' },
  project_deleting: { status: 409, title: 'The project is being deleted' },
  nothing_deployed: { status: 409, title: 'Nothing is deployed yet' },
  file_action_disabled: { status: 409, title: 'The action must be migrated to artifacts' },
  ssh_not_set_up: { status: 409, title: 'The server does not trust this platform yet' },
  too_late: { status: 409, title: 'It is too late for this' },
  in_use: { status: 409, title: 'It is still in use' },
  second_factor_on: { status: 409, title: 'Two-factor codes are on already' },
  second_factor_off: { status: 409, title: 'Two-factor codes are not on' },
  new_owner_needed: { status: 409, title: 'Somebody has to take over the protected environments' },
  last_owner: { status: 409, title: 'An organization keeps at least one owner' },
  idempotency_key_reused: { status: 409, title: 'The idempotency key was used for another request' },
  request_in_progress: { status: 409, title: 'The same request is still being answered' },
  endpoint_removed: { status: 410, title: 'The endpoint was removed' },
  artifact_expired: { status: 410, title: 'The artifact has expired' },
  setup_done: { status: 410, title: 'The platform is set up already' },
  link_expired: { status: 410, title: 'The link was used or has expired' },
  precondition_failed: { status: 412, title: 'The record has changed meanwhile' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be JSON' },
  range_not_satisfiable: { status: 416, title: 'There is nothing in that range' },
  misdirected_request: { status: 421, title: 'This host name is not served here' },
  validation_failed: { status: 422, title: 'The request has faults' },
  rate_limited: { status: 429, title: 'Too many requests' },
  upgrade_required: { status: 426, title: 'This is a WebSocket' },
  headers_too_large: { status: 431, title: 'The headers are too large' },
  internal_error: { status: 500, title: 'The platform failed' },
  server_unreachable: { status: 502, title: 'The server could not be reached' },
  task_not_created: { status: 503, title: 'The task could not be created' },
  unavailable: { status: 503, title: 'The platform cannot answer now' },
  server_timeout: { status: 504, title: 'The server did not answer in time' },
} as const

export type ErrorCode = keyof typeof PROBLEMS

/** One fault of a field; `pointer` is a JSON pointer into the body, or `/query/limit` and the like. */
export const Fault = z.object({ pointer: z.string(), code: z.string(), detail: z.string() })
export type Fault = z.infer<typeof Fault>

/** RFC 9457. Some codes add fields of their own, such as `limit` and `used`. */
export const Problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.string(),
  detail: z.string(),
  instance: z.string(),
  request_id: z.string(),
  errors: z.array(Fault).optional(),
})
export type Problem = z.infer<typeof Problem>
