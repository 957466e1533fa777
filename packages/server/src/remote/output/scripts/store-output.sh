# store ID SERVICE: keeps lines `TIME TEXT` from standard input, as `container_lines` and `timed_lines` print them, in the current folder.
# Replaces what was kept for the same ID. Creates no file if there are no lines.
store() {
  rm -f -- "$work/facts" "$work/said"
  said=$work/said facts=$work/facts container_lines | nice gzip -c >"$work/draft" || return
  [ -s "$work/facts" ] || return 0
  read -r first last lines bytes <"$work/facts"
  name=$(date -d "$first" +%s)-$(date -d "$last" +%s).$lines.$1.$2.gz
  for earlier in *."$1.$2.gz"; do
    [ "$earlier" = "$name" ] || rm -f -- "$earlier"
  done
  mv -fT -- "$work/draft" "$name"
}

# begin_keeping FOLDER: creates it, changes to it, and creates a temporary folder that is removed at the end. Temporary folders of killed
# runs are removed after a day.
begin_keeping() {
  umask 077
  LC_ALL=C
  export LC_ALL
  mkdir -p -- "$1" && cd -- "$1" || exit
  find . -maxdepth 1 \( -name '.draft.*' -o -name '.*.following' \) -mmin +1440 -exec rm -rf -- {} +
  work=$(mktemp -d ./.draft.XXXXXX) || exit
  trap 'rm -rf -- "$work"' EXIT
}
