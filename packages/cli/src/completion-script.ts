// Completion scripts, one per shell. They contain all names, so that completing runs nothing.

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** The words that can follow `path`. */
export type Completion = {
  readonly path: readonly string[]
  readonly words: readonly { readonly name: string; readonly summary: string }[]
}

export const completionScript = (shell: Shell, spots: readonly Completion[]): string => WRITERS[shell](spots)

const WRITERS: Readonly<Record<Shell, (spots: readonly Completion[]) => string>> = { bash, zsh, fish }

function bash(spots: readonly Completion[]): string {
  const cases = spots.map(
    ({ path, words }) => `      '${path.join(' ')}') words='${words.map(({ name }) => name).join(' ')}' ;;`,
  )
  return `# Completion of shipway for bash.
_shipway() {
  local path='' words='' place
  for ((place = 0; place < COMP_CWORD; place++)); do
    ((place == 0)) || path="\${path:+$path }\${COMP_WORDS[place]}"
    case "$path" in
${cases.join('\n')}
    esac
  done
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _shipway shipway`
}

function zsh(spots: readonly Completion[]): string {
  const cases = spots.map(({ path, words }) => {
    const list = words.map(({ name, summary }) => quoted(`${name}:${summary}`)).join(' ')
    return `      '${path.join(' ')}') list=(${list}) ;;`
  })
  return `#compdef shipway
# Completion of shipway for zsh.
_shipway() {
  local -a list trail
  local word
  for word in '' "\${(@)words[2,CURRENT-1]}"; do
    [[ -n $word ]] && trail+=("$word")
    case "\${(j: :)trail}" in
${cases.join('\n')}
    esac
  done
  (( \${#list} )) && _describe shipway list || _files
}
if [ "$funcstack[1]" = _shipway ]; then _shipway "$@"; else compdef _shipway shipway; fi`
}

function fish(spots: readonly Completion[]): string {
  const lines = spots.flatMap(({ path, words }) =>
    words.map(({ name, summary }) => {
      const what = name.startsWith('--') ? `-l ${name.slice(2)}` : `-f -a ${name}`
      return `complete -c shipway -n ${quoted(`__shipway_at ${path.join(' ')}`.trim())} ${what} -d ${quoted(summary)}`
    }),
  )
  return `# Completion of shipway for fish.
set -g __shipway_paths ${spots
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => quoted(path.length === 1 ? ` ${path[0]}` : path.join(' ')))
    .join(' ')}
function __shipway_at
  set -l trail
  for word in (commandline -opc)[2..-1]
    contains -- "$trail $word" $__shipway_paths; or break
    set -a trail $word
  end
  test "$trail" = "$argv"
end
${lines.join('\n')}`
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
