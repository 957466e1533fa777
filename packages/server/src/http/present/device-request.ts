// A device that waits for a user to approve its sign-in, as JSON.
import type { DeviceRequest } from '@shipway/api/device-requests'
import { OAUTH_CLIENT, showUserCode } from '../../domain/people/oauth.ts'
import type { WaitingDevice } from '../../operations/credentials/find-device.ts'
import { presentTime } from './time.ts'

export function presentDeviceRequest(device: WaitingDevice): DeviceRequest {
  return {
    user_code: showUserCode(device.userCode),
    client_name: OAUTH_CLIENT.name,
    address: device.address,
    created_at: presentTime(device.createdAt),
    scopes: [...device.scopes],
    is_elsewhere: device.isElsewhere,
  }
}
