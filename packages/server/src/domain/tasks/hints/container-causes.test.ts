// Hints about processes, from the words of shells, runtimes and databases.
import { describe, expect, test } from 'vitest'
import { built, composed, failed, printed, says } from '../../../../test/hints/failures.ts'

describe('processes', () => {
  const runc =
    'Error response from daemon: failed to create task for container: OCI runtime create failed: runc create failed: unable to start container process:'
  test.each([
    [
      'memory',
      failed({
        exitCode: 137,
        message: 'web ran out of memory and was killed (exit code 137). Let it use less, or raise its limit of 256 MiB',
      }),
      /The limit is 256 MiB\./,
    ],
    [
      'memory of a build',
      built(
        'process "/bin/sh -c npm run build" did not complete successfully: exit code: 137. A build of this environment may use 512 MiB of memory',
      ),
      /The limit is 512 MiB\./,
    ],
    [
      'memory of Node',
      printed('FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory'),
      /--max-old-space-size=/,
    ],
    [
      'memory of Java',
      printed('Exception in thread "main" java.lang.OutOfMemoryError: Java heap space'),
      /Memory ran out\. Let/,
    ],
    ['room', printed('Error: ENOSPC: no space left on device, write'), /A disk is full/],
    [
      'room of a build',
      built('#5 0.160 dd: error writing /x: No space left on device', 'exit code: 1'),
      /A disk is full/,
    ],
    [
      'room for a build',
      failed({ phase: 'Build', message: 'big has 300 MiB of disk left, and a build needs 2048 MiB' }),
      /A disk is full/,
    ],
    [
      'room of postgres',
      printed('PANIC:  could not write to file "pg_wal/xlogtemp.29": No space left on device'),
      /A disk is full/,
    ],
    [
      'rights of Node',
      printed("Error: EACCES: permission denied, open '/data/app.db'"),
      /may not write \/data\/app\.db\. A volume belongs to root/,
    ],
    ['rights of a shell', printed("sh: can't create /data/file: Permission denied"), /may not write \/data\/file/],
    [
      'rights of mkdir',
      printed("mkdir: can't create directory '/data/x': Permission denied"),
      /may not write \/data\/x/,
    ],
    [
      'rights of Python',
      printed("PermissionError: [Errno 13] Permission denied: '/data/app.db'"),
      /may not write \/data\/app\.db/,
    ],
    ['rights of Go', printed('2024/05/01 open /data/app.db: permission denied'), /may not write \/data\/app\.db/],
    [
      'rights of postgres',
      printed('initdb: error: could not access directory "/var/lib/postgresql/data": Permission denied'),
      /may not write \/var\/lib\/postgresql\/data/,
    ],
    [
      'a program that is not there',
      composed(`${runc} exec: "serve": executable file not found in $PATH: unknown`),
      /^serve is not in the image/,
    ],
    [
      'a script that is not executable',
      composed(`${runc} exec: "./start.sh": permission denied: unknown`),
      /^\.\/start\.sh is not executable\. .*--chmod=\+x/,
    ],
    ['line ends of Windows', printed('exec /app/start.sh: no such file or directory'), /CR LF/],
    ['line ends of Windows, in env', printed("env: 'bash\\r': No such file or directory"), /CR LF/],
    ['a module of Node', printed("Error: Cannot find module 'express'"), /^express is not installed/],
    ['a module of Python', printed("ModuleNotFoundError: No module named 'flask'"), /^flask is not installed/],
    ['itself', printed('Error: connect ECONNREFUSED 127.0.0.1:5432'), /Reach port 5432 of another service/],
    [
      'itself, by psql',
      printed('connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused'),
      /Reach port 5432/,
    ],
    ['a name that leads nowhere', printed('Error: getaddrinfo EAI_AGAIN db'), /^The name db leads nowhere/],
    [
      'a name that leads nowhere, by psql',
      printed('could not translate host name "db" to address: Name or service not known'),
      /^The name db leads nowhere/,
    ],
    [
      'a public name that leads nowhere',
      printed('Error: getaddrinfo ENOTFOUND api.stripe.com'),
      /^The public name api\.stripe\.com cannot be resolved from the container\. That is the network of the server/,
    ],
    [
      'a public name with a port',
      printed('Error: getaddrinfo EAI_AGAIN api.stripe.com:443'),
      /^The public name api\.stripe\.com cannot/,
    ],
    [
      'a public name in a build with npm',
      built(
        'npm error request to https://registry.npmjs.org/x failed, reason: getaddrinfo EAI_AGAIN registry.npmjs.org',
      ),
      /^The public name registry\.npmjs\.org cannot be resolved from the build/,
    ],
    [
      'a public name in a build with git',
      built("fatal: unable to access 'https://github.com/a/b/': Could not resolve host: github.com"),
      /^The public name github\.com cannot be resolved from the build/,
    ],
    [
      'a public name in a build with apt',
      built("#8 1.20 Temporary failure resolving 'deb.debian.org'", 'exit code: 100'),
      /^The public name deb\.debian\.org cannot be resolved from the build/,
    ],
    [
      'a public name in a build with pip',
      built("NewConnectionError: Failed to resolve 'pypi.org' ([Errno -3] Temporary failure in name resolution)"),
      /^The public name pypi\.org cannot be resolved from the build/,
    ],
    [
      'a service whose name has a dot',
      printed('Error: getaddrinfo ENOTFOUND laravel.test'),
      /^The name laravel\.test leads nowhere/,
    ],
    [
      'a read-only mount, by Node',
      printed(
        'Mounted read-only: /app',
        'Mounted read-only: /app/src',
        "Error: EROFS: read-only file system, open '/app/x.db'",
      ),
      /^\/app\/x\.db cannot be written: \/app is mounted read-only.*`:rw` behind that mount/,
    ],
    [
      'a read-only mount, by Python',
      printed('Mounted read-only: /code', "OSError: [Errno 30] Read-only file system: '/code/__pycache__'"),
      /: \/code is mounted read-only/,
    ],
    [
      'a read-only mount, by a shell',
      printed('Mounted read-only: /srv', "touch: cannot touch '/srv/a': Read-only file system"),
      /^\/srv\/a cannot be written: \/srv is mounted read-only/,
    ],
    [
      'a read-only mount, by Go',
      printed('open /etc/app/state.json: read-only file system'),
      /^\/etc\/app\/state\.json cannot be written: its file system is read-only.*`:rw`/,
    ],
    [
      'a port that is taken in a task of the manual recipe',
      {
        ...printed('Error: listen EADDRINUSE: address already in use :::3000'),
        name: 'Restart',
        kind: 'command' as const,
      },
      /listens on that port already\. Take the port from the variable `PORT`/,
    ],
    [
      'a port that is taken in a container',
      printed('Error: listen EADDRINUSE: address already in use :::3000'),
      /^A program inside the container has that port already/,
    ],
    [
      'a port that is taken on the server',
      composed('Error response from daemon: Bind for 0.0.0.0:8080 failed: port is already allocated'),
      /^Another program of the server has port 8080 already/,
    ],
    [
      'a mount of the other kind',
      composed(`${runc} not a directory: unknown: Are you trying to mount a directory onto a file (or vice-versa)?`),
      /is mounted on a folder/,
    ],
    [
      'a user that is not there',
      composed('Error response from daemon: unable to find user appuser: no matching entries in passwd file'),
      /has no such user/,
    ],
    [
      'a service that another needs',
      composed('dependency failed to start: container shop-db-1 exited (3)'),
      /did not start: its own output/,
    ],
  ])('%s', (_name, failure, words) => expect(says(failure)).toMatch(words))
})
