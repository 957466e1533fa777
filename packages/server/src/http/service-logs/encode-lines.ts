// Lines as messages of the live channel: several of them in one frame, each on a line of its own.
import type { LiveTopic, OutputLine } from '@shipway/api/live'
import { presentTime } from '../present/time.ts'
import { microsOf } from './line-time.ts'

/** A frame is sent as a whole: small enough for others to come in between. */
const FRAME_CHARACTERS = 48 * 1024

export type LineTopic = { readonly name: LiveTopic; readonly id: number }

export function encodeLines({ name, id }: LineTopic, lines: readonly OutputLine[], at: number): readonly Buffer[] {
  const before = `{"type":"event","topic":"${name}","event":"output.append","at":"${presentTime(at)}","data":{"environment_id":${id},"service":"`
  const frames: Buffer[] = []
  let frame = ''
  for (const { service, time, text } of lines) {
    // Time and service consist of characters that need no quoting; the service stands in front of what does.
    const message = `${before}${service}","time":"${time}","text":${JSON.stringify(text)}},"seq":${microsOf(time)}}`
    if (frame !== '' && frame.length + message.length > FRAME_CHARACTERS) {
      frames.push(Buffer.from(frame))
      frame = ''
    }
    frame = frame === '' ? message : `${frame}\n${message}`
  }
  if (frame !== '') frames.push(Buffer.from(frame))
  return frames
}
