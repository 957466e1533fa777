// The file name for a download (RFC 6266): an ASCII fallback, and the full name in the extended form.

const MOST_CHARACTERS = 120

/** `path` may hold anything; of it the last segment is the name. It is never shown in the page itself. */
export function attachment(path: string): string {
  const name = Array.from(path.split('/').at(-1) ?? '')
    .slice(-MOST_CHARACTERS)
    .join('')
    .toWellFormed()
  const plain = name.replaceAll(/[^A-Za-z0-9._ -]/g, '_').replace(/^[. -]+/, '_') || 'artifact'
  const encoded = encodeURIComponent(name).replaceAll(/['()*!]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`
}
