// The base images of the tests, made of the machine's own programs since no registry can be counted on.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

export type BaseImage = Readonly<{ name: string; archive: string }>

/** Archives of whole file systems for `docker import`; made once per machine, then kept. */
export function baseImages(): BaseImage[] {
  const busybox = execFileSync('which', ['busybox'], { encoding: 'utf8' }).trim()
  const withShell = (root: string): void => putBusybox(root, busybox)
  return [
    { name: 'shipway-test/busybox', archive: archiveOf([busybox], withShell) },
    {
      name: 'shipway-test/node',
      archive: archiveOf([busybox, process.execPath], (root) => {
        withShell(root)
        putProgram(root, process.execPath, '/usr/local/bin/node')
      }),
    },
  ]
}

/** nginx and HAProxy, which look their servers up once, when they start. */
export function proxyImage(): BaseImage {
  const busybox = execFileSync('which', ['busybox'], { encoding: 'utf8' }).trim()
  const proxies = ['/usr/sbin/nginx', '/usr/sbin/haproxy']
  const fill = (root: string): void => {
    putBusybox(root, busybox)
    for (const proxy of proxies) putProgram(root, proxy, `/usr/local/bin/${basename(proxy)}`)
  }
  return { name: 'shipway-test/proxies', archive: archiveOf([busybox, ...proxies], fill) }
}

/** PostgreSQL of the machine, with its client; `programs` is the folder of both. Its server starts as the user postgres only. */
export function postgresImage(programs: string): BaseImage {
  const busybox = execFileSync('which', ['busybox'], { encoding: 'utf8' }).trim()
  const ask = (what: string): string => execFileSync(join(programs, 'pg_config'), [what], { encoding: 'utf8' }).trim()
  const names = ['postgres', 'initdb', 'psql', 'pg_isready']
  const fill = (root: string): void => {
    putBusybox(root, busybox)
    appendFileSync(join(root, 'etc/passwd'), 'postgres:x:70:70::/tmp:/bin/sh\n')
    appendFileSync(join(root, 'etc/group'), 'postgres:x:70:\n')
    mkdirSync(join(root, 'usr/local/bin'), { recursive: true })
    for (const name of names) {
      putProgram(root, join(programs, name), join(programs, name))
      symlinkSync(join(programs, name), join(root, 'usr/local/bin', name))
    }
    cpSync(ask('--sharedir'), join(root, ask('--sharedir')), { recursive: true, dereference: true })
    const modules = ask('--pkglibdir')
    for (const name of ['plpgsql.so', 'dict_snowball.so']) putProgram(root, join(modules, name), join(modules, name))
  }
  return {
    name: 'shipway-test/postgres',
    archive: archiveOf([busybox, ...names.map((name) => join(programs, name))], fill),
  }
}

/** Raised when the content of an image changes, so that archives of the past are not used. */
const layout = 1

function archiveOf(programs: readonly string[], fill: (root: string) => void): string {
  const cache = join(tmpdir(), 'shipway-test-images')
  mkdirSync(cache, { recursive: true, mode: 0o700 })
  const facts = programs.map((program) => [program, statSync(program).size, statSync(program).mtimeMs])
  const key = createHash('sha256')
    .update(JSON.stringify([layout, facts]))
    .digest('hex')
    .slice(0, 16)
  const archive = join(cache, `${key}.tar`)
  if (existsSync(archive)) return archive
  const folder = mkdtempSync(join(cache, 'unfinished-'))
  try {
    const root = join(folder, 'root')
    putAccounts(root)
    fill(root)
    const unfinished = join(folder, 'archive.tar')
    execFileSync('tar', ['--create', '--file', unfinished, '--owner=0', '--group=0', '--directory', root, '.'])
    // It gets its name when it is complete: several test files may make it at once.
    renameSync(unfinished, archive)
  } finally {
    rmSync(folder, { recursive: true })
  }
  return archive
}

function putAccounts(root: string): void {
  mkdirSync(join(root, 'etc'), { recursive: true })
  mkdirSync(join(root, 'root'))
  mkdirSync(join(root, 'tmp'))
  chmodSync(join(root, 'tmp'), 0o1777)
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n')
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnogroup:x:65534:\n')
}

/** One program that is a shell, httpd, nc, wget and many more, by the name that it is called by. */
function putBusybox(root: string, busybox: string): void {
  putProgram(root, busybox, '/bin/busybox')
  const names = execFileSync(busybox, ['--list'], { encoding: 'utf8' }).trim().split('\n')
  for (const name of names.filter((name) => name !== 'busybox')) symlinkSync('busybox', join(root, 'bin', name))
}

function putProgram(root: string, program: string, path: string): void {
  for (const [from, to] of [[program, path] as const, ...librariesOf(program).map((file) => [file, file] as const)]) {
    mkdirSync(dirname(join(root, to)), { recursive: true })
    copyFileSync(from, join(root, to))
  }
}

/** The files that `ldd` names; a static program has none. */
function librariesOf(program: string): string[] {
  try {
    const output = execFileSync('ldd', [program], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    return [...output.matchAll(/(\/\S+) \(0x/g)].flatMap(([, file]) => file ?? [])
  } catch (error) {
    if (error instanceof Error && 'stderr' in error && String(error.stderr).includes('not a dynamic executable'))
      return []
    throw error
  }
}
