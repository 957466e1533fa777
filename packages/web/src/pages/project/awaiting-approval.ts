// Environments of forks without an approved commit. They are listed with the waiting pull requests.
import type { Environment } from '@shipway/api'

export const isAwaitingApproval = ({ status }: Pick<Environment, 'status'>): boolean => status === 'awaiting_approval'
