// Terminal text style, as set by SGR codes.
export type Style = { readonly fg: string; readonly bg: string; readonly marks: readonly number[] }

export const PLAIN: Style = { fg: '', bg: '', marks: [] }

/** Style after `ESC [ params m`. */
export function styleAfter(style: Style, params: string): Style {
  const codes = params.split(/[;:]/).map(Number)
  let { fg, bg, marks } = style
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0
    if (code === 0) [fg, bg, marks] = ['', '', []]
    else if (code === 38 || code === 48) {
      const rest = codes.slice(at + 1, at + (codes[at + 1] === 2 ? 5 : 3))
      at += rest.length
      if (code === 38) fg = [38, ...rest].join(';')
      else bg = [48, ...rest].join(';')
    } else if (code === 39) fg = ''
    else if (code === 49) bg = ''
    else if (isColor(code, 30)) fg = String(code)
    else if (isColor(code, 40)) bg = String(code)
    else if (code <= 9) marks = marks.includes(code) ? marks : [...marks, code]
    else if (code >= 21 && code <= 29) marks = marks.filter((mark) => !takesBack(code, mark))
  }
  return fg === '' && bg === '' && marks.length === 0 ? PLAIN : { fg, bg, marks }
}

/** SGR codes that set this style. */
export function codesOf({ fg, bg, marks }: Style): string {
  const codes = [...marks.map(String), fg, bg].filter((code) => code !== '')
  return codes.length === 0 ? '' : `\u001b[${codes.join(';')}m`
}

/** Eight colors and their bright variants. */
const isColor = (code: number, base: 30 | 40): boolean =>
  (code >= base && code < base + 8) || (code >= base + 60 && code < base + 68)

/** 22 resets bold and faint; 23 to 29 reset the code of their last digit. */
const takesBack = (code: number, mark: number): boolean =>
  code === 22 || code === 21 ? mark === 1 || (code === 22 && mark === 2) : mark === code - 20
