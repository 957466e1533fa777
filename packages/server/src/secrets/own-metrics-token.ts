// A token for /metrics that commands on the platform's own machine derive from the master key, so that none has to be set up.
import { createHmac } from 'node:crypto'
import type { MasterKey } from './master-key.ts'
import { Secret } from './secret.ts'

export const ownMetricsTokenOf = (key: MasterKey): Secret =>
  new Secret(createHmac('sha256', key.reveal()).update('metrics for commands').digest('hex'))
