// Folders of a node that the set-up line may change: above those of this machine. The changes stay in the folder of the node, so they are there
// again after it was killed and started.
import { execFileSync } from 'node:child_process'

/** Before its engine starts. The group `docker` of this machine may use the socket. */
export function makeMachine(pid: number, folder: string): void {
  const script = `set -e
    for name in etc home var usr/local; do
      mkdir -p "$1/machine/$name/above" "$1/machine/$name/work"
      mount -t overlay overlay -o "lowerdir=/$name,upperdir=$1/machine/$name/above,workdir=$1/machine/$name/work" "/$name"
    done
    mount -t tmpfs run /run
    mkdir /run/sshd /run/lock
    ln -s "$1/docker.sock" /run/docker.sock`
  execFileSync('nsenter', [`--mount=/proc/${pid}/ns/mnt`, '--', 'sh', '-c', script, 'make-machine', folder])
}
