// Completion scripts, one per shell. They contain the commands and flags, and call the client for names of projects, environments and
// servers.

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** The words that can follow `path`. */
export type Completion = {
  readonly path: readonly string[]
  readonly words: readonly { readonly name: string; readonly summary: string }[]
}

/** Commands whose first argument is a name of the platform. */
const NAMED = [
  { kind: 'projects', words: ['show', 'edit', 'delete', 'waiting', 'deliveries'].map((word) => `projects ${word}`) },
  {
    kind: 'environments',
    words: ['show', 'edit', 'remove', 'approve', 'watch', 'silence', 'grants'].map((word) => `envs ${word}`),
  },
  {
    kind: 'servers',
    words: ['servers', 'server'].flatMap((group) =>
      ['show', 'check', 'edit', 'remove'].map((word) => `${group} ${word}`),
    ),
  },
] as const

export const completionScript = (shell: Shell, spots: readonly Completion[]): string => WRITERS[shell](spots)

const WRITERS: Readonly<Record<Shell, (spots: readonly Completion[]) => string>> = { bash, zsh, fish }

function bash(spots: readonly Completion[]): string {
  const cases = spots.map(
    ({ path, words }) => `      '${path.join(' ')}') words='${words.map(({ name }) => name).join(' ')}' ;;`,
  )
  return `# Completion of shipway for bash.
_shipway() {
  local path='' words='' index kind='' name
  local -a project=()
  for ((index = 0; index < COMP_CWORD; index++)); do
    ((index == 0)) || path="\${path:+$path }\${COMP_WORDS[index]}"
    case "$path" in
${cases.join('\n')}
    esac
    case "\${COMP_WORDS[index]}" in -p | --project) project=(-p "\${COMP_WORDS[index + 1]}") ;; esac
  done
  case "\${COMP_WORDS[COMP_CWORD - 1]}" in
    -p | --project) kind=projects ;;
    -e | --environment) kind=environments ;;
    --server) kind=servers ;;
  esac
  case "$path" in
${NAMED.map(({ words, kind }) => `    ${words.flatMap((each) => [`'${each}'`, ...(kind === 'environments' ? [`'${each} -p '*`] : [])]).join(' | ')}) [ -n "$kind" ] || kind=${kind} ;;`).join('\n')}
  esac
  if [ -n "$kind" ] && [[ \${COMP_WORDS[COMP_CWORD]} != -* ]]; then
    [ "$kind" = environments ] || project=()
    COMPREPLY=()
    while IFS= read -r name; do
      [[ $name == "\${COMP_WORDS[COMP_CWORD]}"* ]] && COMPREPLY+=("$(printf %q "$name")")
    done < <("\${COMP_WORDS[0]}" completion "$kind" "\${project[@]}" 2>/dev/null </dev/null)
    return
  fi
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
  local -a list trail project names
  local word kind
  project=()
  if (( \${words[(I)-p]} )); then project=(-p "\${words[\${words[(I)-p]}+1]}"); fi
  if (( \${words[(I)--project]} )); then project=(-p "\${words[\${words[(I)--project]}+1]}"); fi
  case "\${words[CURRENT-1]}" in
    -p|--project) kind=projects; project=() ;;
    -e|--environment) kind=environments ;;
    --server) kind=servers; project=() ;;
  esac
  case "\${(j: :)words[2,CURRENT-1]}" in
${NAMED.map(({ words, kind }) => `    ${words.map(quoted).join('|')}) kind=${kind} ;;`).join('\n')}
  esac
  [[ $kind == environments ]] || project=()
  if [[ -n $kind && "\${words[CURRENT]}" != -* ]]; then
    names=("\${(@f)$("\${words[1]}" completion $kind "\${project[@]}" 2>/dev/null </dev/null)}")
    compadd -- "\${(@)names:#}"
    return
  fi
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
function __shipway_names
  set -l project
  set -l previous
  if test $argv[1] = environments
    for word in (commandline -opc)
      if contains -- "$previous" -p --project; set project -p $word; end
      set previous $word
    end
  end
  shipway completion $argv[1] $project 2>/dev/null </dev/null
end
complete -c shipway -s p -l project -x -a '(__shipway_names projects)'
complete -c shipway -s e -l environment -x -a '(__shipway_names environments)'
complete -c shipway -l server -x -a '(__shipway_names servers)'
${NAMED.flatMap(({ words, kind }) => words.map((each) => `complete -c shipway -n '__shipway_at ${each}' -f -a '(__shipway_names ${kind})'`)).join('\n')}
${lines.join('\n')}`
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
