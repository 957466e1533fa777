// Who acts when the platform does something by itself.
import type { Automatic } from '../domain/people/actor.ts'

export const platformActor: Automatic = {
  userId: null,
  name: 'Shipway',
  origin: { address: '', requestId: '' },
}
