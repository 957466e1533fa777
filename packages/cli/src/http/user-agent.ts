// How the client names itself to the platform.
import { VERSION } from '../version.ts'

export const USER_AGENT = `shipway-cli/${VERSION} (${process.platform}; node ${process.versions.node})`
