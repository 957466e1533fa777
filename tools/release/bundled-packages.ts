// Records which packages a bundler took code from, in a file of each build: the bill of materials is made from it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE = 'bundled-packages.json'

/** Takes the files that a bundler read, and writes the packages that they are of into the folder of the build. */
export function writeBundledPackages(folder: string, files: Iterable<string>): void {
  const packages = new Set([...files].flatMap((file) => packageOf(file) ?? []))
  writeFileSync(join(folder, FILE), `${JSON.stringify([...packages].toSorted(), null, 2)}\n`)
}

export const readBundledPackages = (folder: string): readonly string[] =>
  JSON.parse(readFileSync(join(folder, FILE), 'utf8'))

/** The package's folder as package-lock.json names it: `node_modules/zod`, `packages/server/node_modules/pg`. */
export function packageOf(file: string): string | undefined {
  const [, found] =
    /(?:^|[/\\])((?:packages\/[^/]+\/)?node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^@/][^/]*)\//.exec(
      file.replace(/[?#].*$/, ''),
    ) ?? []
  return found
}
