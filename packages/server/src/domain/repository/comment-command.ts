// Commands in comments of pull requests: `/preview`, `/preview stop`, `/preview redeploy`.

export type CommentCommand = 'start' | 'stop' | 'redeploy'

/** Only this much of a comment is read. */
const MOST_READ = 1000

/** The first line of a comment is the command, alone; undefined if it is none. */
export function commandOf(comment: unknown): CommentCommand | undefined {
  if (typeof comment !== 'string') return undefined
  const [line = ''] = comment.slice(0, MOST_READ).trim().split(/\r?\n/, 1)
  const [, word] = /^\/preview(?:[ \t]+(\S+))?[ \t]*$/i.exec(line) ?? []
  if (word !== undefined) return WORDS.get(word.toLowerCase())
  return /^\/preview[ \t]*$/i.test(line) ? 'start' : undefined
}

const WORDS: ReadonlyMap<string, CommentCommand> = new Map([
  ['start', 'start'],
  ['stop', 'stop'],
  ['redeploy', 'redeploy'],
])
