// Runs a program for tests in a network and with a hosts file of its own, and gives what it printed.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** The words after the program are its own: the first is the folder that holds the hosts file. */
export async function runInOwnNetwork(program: string, folder: string, hosts: string): Promise<string> {
  const file = fileURLToPath(new URL(`../processes/${program}`, import.meta.url))
  const words = ['-n', '-m', 'sh', '-ec', script, 'sh', process.execPath, file, folder, hosts]
  const { stdout } = await promisify(execFile)('unshare', words, { encoding: 'utf8', timeout: 180_000 })
  return stdout
}

const script = `ip link set lo up
printf '%s\\n' "$4" >"$3/hosts"
mount --bind "$3/hosts" /etc/hosts
exec setpriv --pdeathsig=KILL -- "$1" "$2" "$3"`
