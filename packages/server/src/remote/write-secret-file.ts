// Writes a file that holds secrets: readable by the platform's user alone from its first moment, there whole or not at all.
import type { Command } from '../commands/command.ts'
import type { Secret } from '../secrets/secret.ts'
import { ask } from './ask.ts'
import type { Host } from './host.ts'

/** The content goes by standard input: the words of a command are seen by everybody on the server. May be repeated. */
export async function writeSecretFile(
  host: Host,
  path: string,
  { content, signal }: { readonly content: Secret; readonly signal?: AbortSignal },
): Promise<void> {
  if (!path.startsWith('/')) throw new TypeError('The path of a secret file must be absolute')
  const bytes = Buffer.from(content.reveal())
  const input = Buffer.concat([Buffer.from(`${bytes.length}\n`), bytes])
  const question = { command: writeCommand(path), input, ...(signal && { signal }) }
  await ask(host, question, `The variable file could not be written on ${host.name}`)
}

const writeCommand = (path: string): Command => ['sh', '-c', script, 'shipway-write', path]

// Half an input ends like a whole one when the platform is killed or cut off, so the length comes first. Drafts that such an end
// left behind are taken away by the next write.
const script = `set -e
umask 077
[ -d "\${1%/*}" ] || mkdir -p -- "\${1%/*}"
for draft in "$1".new.*; do [ ! -e "$draft" ] || rm -f -- "$draft"; done
draft=$(mktemp -- "$1.new.XXXXXX")
trap 'rm -f -- "$draft"' EXIT
read -r bytes
cat >"$draft"
if [ "$(($(wc -c <"$draft")))" -ne "$bytes" ]; then
  echo 'the content did not arrive whole' >&2
  exit 1
fi
sync -- "$draft"
mv -fT -- "$draft" "$1"
trap - EXIT`
