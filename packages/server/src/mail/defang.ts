// Defangs user text inside a mail: mail programs turn addresses into links, so a name stays on one line and never becomes one.
export function defang(name: string): string {
  const shown = name
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(INVISIBLE, '')
    .replaceAll(/(?<=[a-z][a-z0-9+-]{0,30}):(?=\S)/gi, '[:]')
    .replaceAll('://', '[:]//')
    // Some programs take the full stops of other scripts for dots.
    .replaceAll(/[.\u3002\uff0e\uff61](?=\S)/g, '[.]')
  return shown.length > MOST ? `${shown.slice(0, MOST).toWellFormed()}…` : shown
}

/** Bidirectional controls and invisible characters. */
const INVISIBLE = /[\p{Bidi_Control}\u200b\u2060\ufeff]/gu

/** Titles of pull requests and messages of servers can have any length. */
const MOST = 300
