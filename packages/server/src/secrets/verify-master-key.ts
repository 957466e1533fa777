/** Refuses to start with a master key that does not match the database, before anything else is read or written. */
import { CannotStart } from '../domain/cannot-start.ts'
import { type Box, CannotOpen } from './box.ts'

/** The row of the settings table that holds the sealed canary. */
export interface CanaryRow {
  get(): Promise<string | undefined>
  set(value: string): Promise<void>
}

export async function verifyMasterKey(box: Box, row: CanaryRow): Promise<void> {
  if ((await row.get()) === undefined) await row.set(box.seal(plaintext, place))
  // Read back after writing: if two processes start with different keys, the one that did not write the row must stop.
  const sealed = await row.get()
  if (sealed === undefined) throw new Error('The check of the master key was written but cannot be read back')
  try {
    if (box.open(sealed, place).reveal() !== plaintext) throw new CannotOpen('altered', place)
  } catch (error) {
    throw error instanceof CannotOpen ? new WrongMasterKey(error) : error
  }
}

/** The last step of a change of the master key: after it the old key is not needed. */
export const sealCanary = (box: Box): string => box.seal(plaintext, place)

/** The database was sealed with another master key. */
export class WrongMasterKey extends CannotStart {
  override readonly name = 'WrongMasterKey'

  constructor(cause: CannotOpen) {
    super(
      'The master key is not the one this database was sealed with. Start with the original key: put its master.key ' +
        'back into the data folder, or give it as SHIPWAY_MASTER_KEY or SHIPWAY_MASTER_KEY_FILE. To change the key, give ' +
        'the original one as SHIPWAY_MASTER_KEY_PREVIOUS or SHIPWAY_MASTER_KEY_PREVIOUS_FILE.',
      { cause },
    )
  }
}

const place = { table: 'settings', column: 'value', row: 'canary' } as const
const plaintext = 'shipway canary'
