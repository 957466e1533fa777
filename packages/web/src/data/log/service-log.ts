// Lines that the services of an environment print, from the live channel: text in a line store, service and time beside it.
import type { LiveUpdate, OutputLine } from '@shipway/api'
import { FrameSignal } from './frame-signal.ts'
import { LineStore } from './line-store.ts'
import { utf8Length } from './utf8-length.ts'

/** `reading`: lines that were printed before are on their way. `ended`: the end of the range is reached. `refused`: by the platform. `gone`: the user lost access. */
type ServiceLogState = 'connecting' | 'reading' | 'live' | 'ended' | 'refused' | 'gone'
type Refusal = { readonly code: string; readonly detail: string }
type LineOrigin = Pick<OutputLine, 'service' | 'time'>

export class ServiceLog extends FrameSignal {
  readonly store: LineStore
  state: ServiceLogState = 'connecting'
  refusal: Refusal | undefined
  /** How often lines were left out, because they came faster than they could be sent. */
  gaps = 0
  /** Arrival of the newest line. */
  newestAt: Date | undefined
  /** Of every line that the store keeps. */
  #origins: LineOrigin[] = []
  #dropped = 0
  #sought: Sought = { time: '', next: 0, found: undefined }

  constructor(store = new LineStore()) {
    super()
    this.store = store
  }

  handleUpdate(update: LiveUpdate): void {
    if (update.type === 'subscribed') this.state = 'reading'
    else if (update.type === 'lagged') this.#addGap(update.seq)
    else if (update.type === 'event' && update.event === 'output.append') this.#addLine(update.data)
    else if (update.type === 'event' && update.event === 'output.current') this.state = 'live'
    else if (update.type === 'event' && update.event === 'output.end') this.state = 'ended'
    else if (update.type === 'error') this.#refuse(update)
    else if (update.type === 'unsubscribed' && update.id === null) this.state = 'gone'
    this.notify()
  }

  /** Service and time of a line. A note of the page itself has no service. */
  originOf(line: number): LineOrigin {
    return this.#origins[line - this.#dropped] ?? NOTHING
  }

  /** Lines of exactly that time, or undefined. Looks at each line once, however often it is called for the same time. */
  linesAt(time: string): LineRange | undefined {
    if (this.#sought.time !== time) this.#sought = { time, next: this.#dropped, found: undefined }
    const sought = this.#sought
    for (; sought.next < this.store.count; sought.next++) {
      if (this.originOf(sought.next).time !== time) continue
      const number = sought.next + 1
      sought.found = { first: sought.found?.first ?? number, last: number }
    }
    return sought.found
  }

  #addLine({ service, time, text }: OutputLine): void {
    this.newestAt = new Date()
    this.#add(text, { service, time })
  }

  /** The next line says until when. */
  #addGap(from: number): void {
    this.gaps += 1
    const time = new Date(from / 1_000).toISOString()
    this.#add('… Lines were skipped here: they came faster than they could be sent …', { service: '', time })
  }

  #add(text: string, origin: LineOrigin): void {
    // Colors of a line end with it: the next one may be of another service.
    const line = `${text.replaceAll('\n', ' ')}${text.includes('\u001b') ? '\u001b[0m' : ''}\n`
    this.store.append(line, this.store.bytes + utf8Length(line))
    this.#origins.push(origin)
    if (this.store.dropped === this.#dropped) return
    this.#origins = this.#origins.slice(this.store.dropped - this.#dropped)
    this.#dropped = this.store.dropped
  }

  #refuse({ code, detail }: Refusal): void {
    this.state = 'refused'
    this.refusal = { code, detail }
  }
}

/** Numbers start at 1. */
type LineRange = { readonly first: number; readonly last: number }
/** Lines before `next` were looked at. */
type Sought = { readonly time: string; next: number; found: LineRange | undefined }

const NOTHING: LineOrigin = { service: '', time: '' }
