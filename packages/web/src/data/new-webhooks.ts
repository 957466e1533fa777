// Secrets that an answer showed this once: kept in memory until the page that shows them is left, and nowhere else.
import type { Webhook } from '@shipway/api'

const webhooks = new Map<number, Webhook>()

export const keepWebhook = (projectId: number, webhook: Webhook): void => void webhooks.set(projectId, webhook)

export const keptWebhook = (projectId: number): Webhook | undefined => webhooks.get(projectId)

export const forgetWebhook = (projectId: number): void => void webhooks.delete(projectId)
