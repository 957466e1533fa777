// A small disk that a test can fill without harm.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { undoLater } from '../../packages/server/test/undo.ts'

export type SmallDisk = {
  /** A folder on it, which may be removed. */
  readonly folder: string
  /** Leaves less than a quarter free. */
  fill(): void
  empty(): void
  remove(): Promise<void>
}

/** It is unmounted with this process, even if that is killed. */
export function mountSmallDisk(mebibytes: number): SmallDisk {
  const place = mkdtempSync(join(tmpdir(), 'shipway-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', place])
  const unmount = undoLater('umount --lazy -- "$1"', [place])
  const ballast = join(place, 'ballast')
  const folder = join(place, 'home')
  mkdirSync(folder)
  return {
    folder,
    fill: () => writeFileSync(ballast, Buffer.alloc(Math.ceil(mebibytes * 0.75) * 1024 * 1024)),
    empty: () => rmSync(ballast, { force: true }),
    remove: async () => {
      await unmount()
      rmdirSync(place)
    },
  }
}
