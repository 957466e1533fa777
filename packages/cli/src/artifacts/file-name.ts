// The default file name of an artifact. The platform chooses it, so it must not lead out of the folder.

/** From the header Content-Disposition; never with a folder, a leading dot, or a control character. */
export function fileNameOf(header: string | null, id: number): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header ?? '')?.[1]
  const plain = /filename="([^"]*)"/i.exec(header ?? '')?.[1]
  const name = (encoded === undefined ? plain : decoded(encoded)) ?? ''
  const safe = name
    .replaceAll(/[\p{C}\p{Z}/\\:*?"<>|]/gu, '_')
    .replace(/^[.-]+/, '_')
    .slice(0, MOST_CHARACTERS)
  return safe === '' || safe === '_' ? `artifact-${id}` : safe
}

const MOST_CHARACTERS = 150

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
