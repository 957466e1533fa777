// What the parts of `npm run installed` work with: each has a machine of its own.
import type { InstalledPlatform } from '../../e2e/installed/installed-platform.ts'
import type { Machine } from '../../e2e/installed/machine.ts'

export type Scene = { readonly machine: Machine; readonly platform: InstalledPlatform }
