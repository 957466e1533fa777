// Text of somebody's inside a mail. Mail programs turn addresses into links; a name keeps to one line and is never one.
export function defang(name: string): string {
  const shown = name
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(INVISIBLE, '')
    .replaceAll(/([a-z][a-z0-9+-]*):(?=\S)/gi, '$1[:]')
    .replaceAll('://', '[:]//')
    // Some programs take the full stops of other scripts for dots.
    .replaceAll(/[.\u3002\uff0e\uff61](?=\S)/g, '[.]')
  return shown.length > MOST ? `${shown.slice(0, MOST).toWellFormed()}…` : shown
}

/** What turns text around, and what hides between letters. */
const INVISIBLE = /[\p{Bidi_Control}\u200b\u2060\ufeff]/gu

/** Titles of pull requests and sentences of servers may be of any length. */
const MOST = 300
