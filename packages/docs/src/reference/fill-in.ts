// Fills a page with what is made from the code. The marker is a comment, so that git hosts show the page without it.
import { commandSections } from './commands.ts'
import { endpointSections } from './endpoints.ts'
import { errorSections } from './errors.ts'
import { keySections } from './service-file.ts'

const PARTS: Readonly<Record<string, () => string | Promise<string>>> = {
  commands: commandSections,
  endpoints: endpointSections,
  errors: errorSections,
  'keys of .service.yml': keySections,
}

const MARKER = /^<!-- made from the code: (.+) -->$/m

export async function fillIn(source: string): Promise<string> {
  const [marker, name = ''] = MARKER.exec(source) ?? []
  if (marker === undefined) return source
  const make = PARTS[name]
  if (!make) throw new Error(`${marker} names nothing that is made from the code: ${Object.keys(PARTS).join(', ')}`)
  const made = await make()
  return source.replace(marker, () => made)
}
