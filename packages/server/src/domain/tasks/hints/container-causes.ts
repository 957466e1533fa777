// Causes inside a process: memory, disk space, permissions, files, services that it depends on.
import { type Cause, findWords, nameIn, whereSaid } from './failure.ts'
import { networkCauses } from './network-causes.ts'
import { readOnlyMount } from './read-only-mount.ts'

const outOfMemory: Cause = (failure) => {
  const isKilled =
    findWords(
      failure,
      /ran out of memory|OutOfMemoryError|cannot allocate memory|exit code: 137\b|std::bad_alloc|fatal error: runtime: out of memory|^MemoryError$/i,
    ) ?? findWords(failure, /heap out of memory/)
  if (!isKilled) return undefined
  const [, limit] = findWords(failure, /(?:its limit of|may use) (\d{1,9} MiB)\b/) ?? []
  const heap = findWords(failure, /heap out of memory/)
    ? 'Node keeps to a heap of its own: raise it with `NODE_OPTIONS=--max-old-space-size=` (in MiB), below the limit of the container'
    : undefined
  const within = limit === undefined ? '' : ` The limit is ${limit}.`
  return (
    heap ??
    `Memory ran out.${within} Let the program use less, or raise \`mem_limit\` in the compose file or the limit of the environment`
  )
}

const noSpace = whereSaid(
  /no space left on device|ENOSPC|disk quota exceeded|MiB of disk left/i,
  'A disk is full. On the server `docker system df` and `df -h` tell what takes the room; remove what is not needed, or enlarge the disk. A `tmpfs` has a size of its own',
)

const permission: Cause = (failure) => {
  const found =
    findWords(failure, /EACCES: permission denied, \w{1,20} '([^']{1,200})'/) ??
    findWords(failure, /PermissionError: \[Errno 13\] Permission denied: '([^']{1,200})'/) ??
    findWords(failure, /can't create (?:directory )?'?([^':]{1,200})'?: Permission denied/) ??
    findWords(failure, /(?:open|mkdir|create|directory|file) "?(\/[^":]{1,200})"?: [Pp]ermission denied/) ??
    findWords(
      failure,
      /could not (?:change permissions of|access|open) (?:directory|file) "([^"]{1,200})": Permission denied/,
    )
  if (!found || failure.phase === 'Prepare') return undefined
  const path = nameIn(found[1])
  return (
    `The user of the process may not write ${path ?? 'there'}. A volume belongs to root until the image gives its folder to the user: ` +
    'in the Dockerfile `mkdir` it and `chown` it before `USER`, or set `user:` in the compose file'
  )
}

const carriageReturns: Cause = (failure) =>
  (findWords(failure, /\^M: bad interpreter|\\r'?: (?:No such file|command not found|not found)|\$'\\r'/) ??
  findWords(failure, /^exec \S{1,200}: no such file or directory$/))
    ? 'The file is there or was never copied, and what runs it is not: its lines may end as on Windows (CR LF), or its first line names a shell that the image does not have. Write `*.sh text eol=lf` into .gitattributes, and renormalize'
    : undefined

const notInImage: Cause = (failure) => {
  const [, program] =
    findWords(failure, /exec: "([^"]{1,120})": (?:executable file not found|stat .{1,200}no such file)/) ?? []
  if (program === undefined) return undefined
  return `${nameIn(program) ?? 'The program'} is not in the image. Install it in the Dockerfile, or correct \`command:\` or \`entrypoint:\``
}

const notExecutable: Cause = (failure) => {
  const [, program] = findWords(failure, /exec: "([^"]{1,120})": permission denied/) ?? []
  if (program === undefined) return undefined
  return `${nameIn(program) ?? 'The program'} is not executable. Run \`git update-index --chmod=+x\` on it, commit and push`
}

const missingModule: Cause = (failure) => {
  const [, module] =
    findWords(
      failure,
      /Cannot find (?:module|package) '([^']{1,120})'|ModuleNotFoundError: No module named '([^']{1,120})'/,
    )?.filter(Boolean) ?? []
  if (module === undefined) return undefined
  return `${nameIn(module) ?? 'A module'} is not installed where the program runs. See that it is among the dependencies (not only those for development), and that a mount does not hide the folder that it was installed into`
}

const mountedOver = whereSaid(
  /Are you trying to mount a directory onto a file/,
  'A file is mounted on a folder, or a folder on a file: what the compose file mounts is not in the repository at this commit, or of the other kind',
)

const unknownUser = whereSaid(
  /unable to find (?:user|group) \S{1,100}: no matching entries/,
  'The image has no such user. Correct `user:` in the compose file, or make the user in the Dockerfile',
)

const dependency: Cause = (failure) =>
  findWords(failure, /^dependency failed to start: /)
    ? 'A service that this one needs did not start: its own output says why (`shipway logs --service` with its name)'
    : undefined

export const containerCauses: readonly Cause[] = [
  outOfMemory,
  noSpace,
  readOnlyMount,
  permission,
  notInImage,
  notExecutable,
  carriageReturns,
  missingModule,
  ...networkCauses,
  mountedOver,
  unknownUser,
  dependency,
]
