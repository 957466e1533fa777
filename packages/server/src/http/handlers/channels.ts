// Requests about channels.
import { createChannel } from '../../operations/channels/create-channel.ts'
import { deleteChannel } from '../../operations/channels/delete-channel.ts'
import { listChannels } from '../../operations/channels/list-channels.ts'
import { testChannel } from '../../operations/channels/test-channel.ts'
import { updateChannel } from '../../operations/channels/update-channel.ts'
import type { Handlers } from '../handler.ts'
import { presentChannel } from '../present/channel.ts'

export const channelHandlers = {
  listChannels: async ({ ctx, actor, params }) => ({
    body: (await listChannels(ctx, actor, params.id)).map(presentChannel),
  }),
  createChannel: async ({ ctx, actor, params, body }) => {
    const { channel, secret } = await createChannel(ctx, actor, { organizationId: params.id, wanted: body })
    return { body: { ...presentChannel(channel), secret: secret?.reveal() ?? null } }
  },
  updateChannel: async ({ ctx, actor, params, body }) => ({
    body: presentChannel(await updateChannel(ctx, actor, params.id, body)),
  }),
  deleteChannel: async ({ ctx, actor, params }) => {
    await deleteChannel(ctx, actor, params.id)
    return {}
  },
  testChannel: async ({ ctx, actor, params }) => {
    const { isDelivered, sentence, status, text } = await testChannel(ctx, actor, params.id)
    return { body: { succeeded: isDelivered, message: sentence, response_status: status, response_text: text } }
  },
} satisfies Handlers
