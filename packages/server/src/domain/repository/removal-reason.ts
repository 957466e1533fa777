// Why the platform removed an environment, as the end of a sentence that begins with "removed".

export const afterLifetime = (hours: number): string =>
  hours % 24 === 0
    ? `after ${counted(hours / 24, 'day')} without a deployment`
    : `after ${counted(hours, 'hour')} without a deployment`

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

export const AFTER_UPLOAD = 'because the time of its upload was over'

type EndedPullRequest = {
  readonly action: 'closed' | 'merged'
  /** Found by comparing pull requests with the git host, not by an event. */
  readonly isCompared: boolean
}

export const afterPullRequest = ({ action, isCompared }: EndedPullRequest): string =>
  isCompared
    ? 'because its pull request is no longer open at the git host, which Shipway found out by comparing: the event never arrived'
    : `because its pull request was ${action}`

/** The sentence of a rule about pull requests. */
export const byRule = (sentence: string): string => `by a rule of the project: ${sentence}`
