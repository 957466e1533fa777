// Ten new recovery codes in place of all earlier ones; only their digests are kept.

import type { Secret } from '../../secrets/secret.ts'
import { newRecoveryCodes } from '../../secrets/sign-in/recovery-code.ts'
import type { Change } from '../../store/change.ts'
import { insertRecoveryCodes } from '../../store/credentials/second-factors.ts'

export async function replaceRecoveryCodes(tx: Change, userId: number): Promise<readonly Secret[]> {
  const codes = newRecoveryCodes()
  await insertRecoveryCodes(
    tx,
    userId,
    codes.map(({ digest }) => digest),
  )
  return codes.map(({ code }) => code)
}
