// Which release may follow which.
import { CannotStart } from '../../domain/cannot-start.ts'
import { isOlderRelease } from '../../domain/releases.ts'

/** An old release is signed as well: who hands it to an administrator may want its faults back. */
export function refuseOlder({ version, running }: { readonly version: string; readonly running: string }): void {
  if (!isOlderRelease(version, running)) return
  throw new CannotStart(
    `${version} is older than ${running}, which runs. If you mean to go back to it, pass --older. Its faults, also those of security, come back`,
  )
}

type Change = {
  readonly version: string
  readonly running: string
  /** The oldest release that works on the tables of `version`; undefined if the version does not say. */
  readonly oldest: string | undefined
}

/** The running release works on the tables of the version during the upgrade, and after one that is undone. */
export function refuseSkipped({ version, running, oldest }: Change): void {
  // The tables themselves say whether an older release works on them.
  if (isOlderRelease(version, running)) return
  if (oldest === undefined)
    throw new CannotStart(`${version} does not say which releases it can follow. Download the release again`)
  if (!isOlderRelease(running, oldest)) return
  throw new CannotStart(
    `${version} cannot follow ${running}, which does not work on its tables, so the upgrade could not be undone. Upgrade to ${oldest} first`,
  )
}
