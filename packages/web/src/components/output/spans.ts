// Splits a line into styled spans. Terminal colors are mapped to the colors of the dashboard.
import Anser from 'anser'

type Tone = 'bad' | 'good' | 'warn' | 'accent' | 'faint'
export type TextStyle = {
  readonly ink?: Tone
  readonly ground?: Tone
  readonly isBold?: true
  readonly isFaint?: true
  readonly isItalic?: true
  readonly isUnderlined?: true
  readonly isStruck?: true
}
export type Span = { readonly text: string; readonly style: TextStyle; readonly mark?: 'hit' | 'current' }
/** Part of a line that matches the search. */
export type MarkedPart = { readonly from: number; readonly to: number; readonly isCurrent: boolean }

export function spansOf(settled: string, marked: readonly MarkedPart[] = []): readonly Span[] {
  const spans: readonly Span[] = settled.includes('\u001b') ? coloured(settled) : [{ text: settled, style: {} }]
  return marked.length === 0 ? spans : withMarks(spans, marked)
}

function coloured(settled: string): readonly Span[] {
  const parts = Anser.ansiToJson(settled, { json: true, use_classes: true, remove_empty: true })
  return parts.map((part) => {
    const has = (mark: (typeof part.decorations)[number]): boolean => part.decorations.includes(mark)
    const ink = toneOf(part.fg, part.fg_truecolor)
    const ground = toneOf(part.bg, part.bg_truecolor)
    const style: TextStyle = {
      ...(ink && { ink }),
      ...(ground && { ground }),
      ...(has('bold') && { isBold: true }),
      // Concealed text is shown faint: a log must not hide anything from its reader.
      ...((has('dim') || has('hidden')) && { isFaint: true }),
      ...(has('italic') && { isItalic: true }),
      ...(has('underline') && { isUnderlined: true }),
      ...(has('strikethrough') && { isStruck: true }),
    }
    return { text: part.content, style }
  })
}

const NAMED: Readonly<Record<string, Tone | undefined>> = {
  red: 'bad',
  green: 'good',
  yellow: 'warn',
  blue: 'accent',
  magenta: 'accent',
  cyan: 'accent',
  'bright-black': 'faint',
}

function toneOf(name: string | null, rgb: string | null): Tone | undefined {
  if (name === null) return undefined
  if (name === 'ansi-truecolor') return toneOfRgb((rgb ?? '').split(',').map(Number))
  const palette = /^ansi-palette-(\d+)$/.exec(name)
  if (palette) return toneOfRgb(paletteRgb(Number(palette[1])))
  const color = name.replace(/^ansi-/, '')
  return NAMED[color] ?? NAMED[color.replace('bright-', '')]
}

/** 6 × 6 × 6 color cube, then the greys. */
function paletteRgb(index: number): readonly number[] {
  if (index >= 232) return [0, 0, 0].map(() => 8 + (index - 232) * 10)
  const color = index - 16
  return [Math.floor(color / 36), Math.floor(color / 6) % 6, color % 6].map((level) =>
    level === 0 ? 0 : 55 + level * 40,
  )
}

function toneOfRgb([red = 0, green = 0, blue = 0]: readonly number[]): Tone | undefined {
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  if (most - least < 40) return most > 60 && most < 190 ? 'faint' : undefined
  if (blue === most) return 'accent'
  if (green === most) return blue - red > 60 ? 'accent' : red > 0.8 * green ? 'warn' : 'good'
  return green > 0.5 * red ? 'warn' : 'bad'
}

/** Splits spans at the matches. */
function withMarks(spans: readonly Span[], marked: readonly MarkedPart[]): readonly Span[] {
  const result: Span[] = []
  let at = 0
  for (const { text, style } of spans) {
    const end = at + text.length
    let offset = at
    for (const { from, to, isCurrent } of marked) {
      const [begin, stop] = [Math.max(from, at), Math.min(to, end)]
      if (begin >= stop) continue
      if (begin > offset) result.push({ text: text.slice(offset - at, begin - at), style })
      result.push({ text: text.slice(begin - at, stop - at), style, mark: isCurrent ? 'current' : 'hit' })
      offset = stop
    }
    if (offset < end) result.push({ text: text.slice(offset - at), style })
    at = end
  }
  return result
}
