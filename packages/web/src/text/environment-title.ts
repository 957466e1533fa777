// Title of an environment: its own, or that of its pull request.
import type { Environment } from '@shipway/api'

export const environmentTitle = ({ title, pull_request }: Pick<Environment, 'title' | 'pull_request'>): string =>
  title === '' ? (pull_request?.title ?? '') : title
