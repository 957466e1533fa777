// Webhook secrets, which the API returns only once. Kept in memory until the page that shows them is left.
import type { Webhook } from '@shipway/api'

const webhooks = new Map<number, Webhook>()

export const keepWebhook = (projectId: number, webhook: Webhook): void => void webhooks.set(projectId, webhook)

export const keptWebhook = (projectId: number): Webhook | undefined => webhooks.get(projectId)

export const forgetWebhook = (projectId: number): void => void webhooks.delete(projectId)
