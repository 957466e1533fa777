// Requests about sign-ins that a device waits for.
import { answerDevice } from '../../../operations/credentials/answer-device.ts'
import { findDevice } from '../../../operations/credentials/find-device.ts'
import type { Handlers } from '../../handler.ts'
import { presentDeviceRequest } from '../../present/device-request.ts'

export const deviceRequestHandlers = {
  getDeviceRequest: async ({ ctx, actor, params }) => ({
    body: presentDeviceRequest(await findDevice(ctx, actor, params.user_code)),
  }),
  answerDeviceRequest: async ({ ctx, actor, params, body }) => {
    await answerDevice(ctx, actor, { typed: params.user_code, isApproved: body.decision === 'approve' })
    return {}
  },
} satisfies Handlers
