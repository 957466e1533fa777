// How the client names itself to the platform, which tells by it whether a task was started by a command or by an MCP tool.
import { VERSION } from '../version.ts'

const rest = `/${VERSION} (${process.platform}; node ${process.versions.node})`

export const USER_AGENT = `shipway-cli${rest}`
export const MCP_USER_AGENT = `shipway-mcp${rest}`
