// The User-Agent header. The platform uses it to record whether a command or an MCP tool started a task.
import { VERSION } from '../version.ts'

const rest = `/${VERSION} (${process.platform}; node ${process.versions.node})`

export const USER_AGENT = `shipway-cli${rest}`
export const MCP_USER_AGENT = `shipway-mcp${rest}`
