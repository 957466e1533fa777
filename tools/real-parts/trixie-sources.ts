// A machine's own apt sources of Debian 12, with the name of the suite replaced by that of Debian 13.

/** Of a file in the format of `.sources`: stanzas with one field on each line. */
export function trixieStanzas(text: string): string {
  const suites = /^Suites:(?=.*\sbookworm(?:\s|$)).*$/m
  const stanzas = text.trim().split(/\n\s*\n/)
  return stanzas
    .filter((stanza) => suites.test(stanza))
    .map((stanza) => `${stanza.replace(suites, 'Suites: trixie')}\n\n`)
    .join('')
}

/** Of a file in the format of `.list`: one source on each line. */
export function trixieLines(text: string): string {
  const line = /^(deb\s.*\s)bookworm(\s.*)$/
  const lines = text.split('\n').filter((source) => line.test(source))
  return lines.map((source) => `${source.replace(line, '$1trixie$2')}\n`).join('')
}
