// The name to save an artifact under where nobody gave one: the platform's word, so nothing of it may lead anywhere.

/** Of the header Content-Disposition; never with a folder, a dot at the beginning, or a character that a terminal obeys. */
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
