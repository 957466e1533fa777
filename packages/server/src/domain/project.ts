// What is asked of a project's facts.
import { parseRepositoryAddress } from '@shipway/api/values/repository-address'

/** Another host is somebody else: what the earlier one was trusted with is nothing for it. */
export function isOnAnotherHost(address: string, next: string): boolean {
  return parseRepositoryAddress(address)?.host !== parseRepositoryAddress(next)?.host
}

export function webhookUrl(baseUrl: string, hookId: string): string {
  return `${baseUrl}/api/webhooks/${hookId}`
}
