// What an environment is for: as somebody has put it, or as its pull request says.
import type { Environment } from '@shipway/api'

export const environmentTitle = ({ title, pull_request }: Pick<Environment, 'title' | 'pull_request'>): string =>
  title === '' ? (pull_request?.title ?? '') : title
