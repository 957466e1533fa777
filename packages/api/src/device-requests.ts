// Sign-ins of devices: the request of a device, and the answer of a user in a browser session (RFC 8628).
import { z } from 'zod'
import { ScopeName } from './people.ts'
import { route } from './route.ts'
import { Time } from './values/ids.ts'

export const DeviceRequest = z.object({
  user_code: z.string().describe('As the device shows it: `BCDF-GHJK`'),
  client_name: z.string().describe('The program that asks'),
  address: z.string().describe('Where the sign-in was started'),
  created_at: Time,
  scopes: z
    .array(ScopeName)
    .describe('What the program may do once it is approved, in the name of the user who approves it'),
  is_elsewhere: z
    .boolean()
    .describe('It was started from another network than that of the caller, as a code that an attacker sends is'),
})
export type DeviceRequest = z.infer<typeof DeviceRequest>

export const DeviceAnswer = z.strictObject({ decision: z.enum(['approve', 'deny']) })
export type DeviceAnswer = z.infer<typeof DeviceAnswer>

/** Free text: anything that cannot be a code counts as a wrong one. */
const CodeParams = z.object({
  user_code: z.string().max(40).describe('In capital or small letters, with the hyphen or without it'),
})

const LIMIT = 'Five wrong codes of a user in ten minutes, and fifty of a network, make every code wait: `rate_limited`.'

export const deviceRequestRoutes = {
  getDeviceRequest: route({
    method: 'GET',
    path: '/api/device-requests/{user_code}',
    summary: 'What a device that shows this code asks for',
    description: `A code that is not known, was answered already or has expired is \`not_found\`. ${LIMIT}`,
    permission: 'signed_in',
    scope: 'none',
    sessionOnly: true,
    params: CodeParams,
    success: 200,
    answer: DeviceRequest,
  }),
  answerDeviceRequest: route({
    method: 'POST',
    path: '/api/device-requests/{user_code}/answer',
    summary: 'Let a device sign in as you, or refuse it',
    description: `The first answer counts, and uses the code up. ${LIMIT}`,
    permission: 'signed_in',
    scope: 'none',
    sessionOnly: true,
    params: CodeParams,
    body: DeviceAnswer,
    success: 204,
  }),
}
