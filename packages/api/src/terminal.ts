// The terminal of a one-off command on the platform's own machine: the messages of both sides. It is opened at the address of the live
// channel with a subprotocol of its own. Binary frames hold what is typed, and what the command prints.
import { z } from 'zod'
import { RunCommand, RunService } from './runs.ts'
import { Id } from './values/ids.ts'

export const TERMINAL_SUBPROTOCOL = 'service.terminal.v1'

/** How much either side sends before the other has confirmed what came before. A slow reader so slows down the command. */
export const TERMINAL_WINDOW_BYTES = 512 * 1024
/** Of a binary frame. */
export const MOST_TERMINAL_FRAME_BYTES = 60 * 1024

/** Why the platform ends a terminal, beside `LIVE_CLOSE`. */
export const TERMINAL_CLOSE = {
  /** Nothing was typed or printed for too long, or the command ran for too long. */
  timeLimit: 4408,
  /** Its user may no longer run commands there. */
  forbidden: 4403,
  /** The platform lost its connection to the command. */
  commandLost: 4502,
} as const

/** The first byte of a frame of the platform: which output of the command follows. */
export const TERMINAL_STREAMS = { stdout: 1, stderr: 2 } as const

export const TerminalSize = z.strictObject({ columns: z.int().min(1).max(2000), rows: z.int().min(1).max(2000) })
export type TerminalSize = z.infer<typeof TerminalSize>

export const TerminalRequest = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('authenticate'),
    token: z.string().max(1000),
    organization_id: Id.optional().describe('Narrows what is seen, as the header X-Service-Organization does'),
  }),
  // Once per connection.
  z.strictObject({
    type: z.literal('run'),
    environment_id: Id,
    command: RunCommand,
    service: RunService.optional(),
    size: TerminalSize.optional().describe('Of the terminal; without it the command gets pipes'),
  }),
  z.strictObject({ type: z.literal('resize'), size: TerminalSize }),
  z.strictObject({ type: z.literal('end_input') }),
  // All bytes of output that were taken so far.
  z.strictObject({ type: z.literal('received'), bytes: z.int().min(0) }),
  // Is the platform still there?
  z.strictObject({ type: z.literal('ping') }),
])
export type TerminalRequest = z.infer<typeof TerminalRequest>

export const TerminalMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('authenticated') }),
  z.object({ type: z.literal('started') }),
  // All bytes of input that the command has taken so far.
  z.object({ type: z.literal('received'), bytes: z.int() }),
  // After all output.
  z.object({ type: z.literal('exited'), code: z.int() }),
  z.object({ type: z.literal('pong') }),
  z.object({ type: z.literal('error'), code: z.string(), detail: z.string() }),
])
export type TerminalMessage = z.infer<typeof TerminalMessage>
