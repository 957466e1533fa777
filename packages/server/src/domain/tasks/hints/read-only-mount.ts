// A process that writes where it may only read: files of the commit are mounted read-only.
import { type Cause, type Failure, findWords, nameIn } from './failure.ts'

export const readOnlyMount: Cause = (failure) => {
  if (!findWords(failure, /EROFS|read-only file system/i)) return undefined
  const path = nameIn(WRITES.map((words) => findWords(failure, words)?.[1]).find((found) => found !== undefined))
  const mount = mountOf(failure, path)
  if (mount === undefined) {
    return (
      `${path ?? 'A path'} cannot be written: its file system is read-only. Files of the commit are mounted read-only: write \`:rw\` behind ` +
      'the mount in the compose file. With `read_only: true` give the service a `tmpfs:` or a volume there'
    )
  }
  return (
    `${path ?? 'A path'} cannot be written: ${mount} is mounted read-only, as files of the commit are. Write \`:rw\` behind that mount in the ` +
    'compose file, and what is written goes with the release. For data that stays, mount a volume there'
  )
}

const WRITES = [
  /EROFS: read-only file system, \w{1,20} '([^']{1,200})'/,
  /\[Errno 30\] Read-only file system: '([^']{1,200})'/,
  /(?:cannot|can't) [a-z ]{1,30} '?([^':]{1,200})'?: Read-only file system/,
  /"?(\/[^":\s]{1,200})"?: [Rr]ead-only file system/,
] as const

/** As `wait-until-ready.sh` lists them; the innermost one counts. */
function mountOf({ lines }: Failure, path: string | undefined): string | undefined {
  const mounts = lines.flatMap((line) => nameIn(/^Mounted read-only: (\S{1,200})$/.exec(line)?.[1]) ?? [])
  if (path === undefined || !path.startsWith('/')) return mounts.length === 1 ? mounts[0] : undefined
  return mounts
    .filter((mount) => path === mount || path.startsWith(`${mount}/`))
    .toSorted((one, other) => other.length - one.length)[0]
}
