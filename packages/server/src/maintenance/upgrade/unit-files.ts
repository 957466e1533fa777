// The files of a version outside its folder: its units of systemd, and the command that administrators run.
import { chmodSync, globSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

type InstallPaths = {
  /** Where the versions are, each a folder. */
  readonly versions: string
  readonly units: string
  readonly command: string
}

/** Each file is replaced in one step. Units that only other versions have are removed, once all of this version are there. */
export function replaceUnits(version: string, { versions, units, command }: InstallPaths): void {
  const files = unitsOf(join(versions, version))
  const names = new Set(files.map((file) => basename(file)))
  for (const file of files) replaceFile(file, join(units, basename(file)), 0o644)
  replaceFile(join(versions, version, 'deploy/run-command'), command, 0o755)
  for (const file of readdirSync(versions).flatMap((other) => unitsOf(join(versions, other)))) {
    if (!names.has(basename(file))) rmSync(join(units, basename(file)), { force: true })
  }
}

/** The unit of one service alone. */
export function replaceUnit(version: string, name: string, { versions, units }: Omit<InstallPaths, 'command'>): void {
  replaceFile(join(versions, version, 'deploy', name), join(units, name), 0o644)
}

const unitsOf = (folder: string): readonly string[] => globSync(join(folder, 'deploy/shipway*.{service,socket,timer}'))

/** A full disk or a power cut leaves the earlier file as it was. */
function replaceFile(from: string, to: string, mode: number): void {
  const draft = `${to}.next`
  try {
    writeFileSync(draft, readFileSync(from), { flush: true })
    chmodSync(draft, mode)
    renameSync(draft, to)
  } finally {
    rmSync(draft, { force: true })
  }
}
