# store ID SERVICE: keeps lines `TIME TEXT` of standard input, which are those of `container_lines` or `timed_lines`, in the current
# folder. What was kept of the same ID before goes. There is no file where there are no lines.
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

# begin_keeping FOLDER: makes it, goes there, and has a folder for drafts until the end. Drafts that a dead one left go after a day.
begin_keeping() {
  umask 077
  LC_ALL=C
  export LC_ALL
  mkdir -p -- "$1" && cd -- "$1" || exit
  find . -maxdepth 1 \( -name '.draft.*' -o -name '.*.following' \) -mmin +1440 -exec rm -rf -- {} +
  work=$(mktemp -d ./.draft.XXXXXX) || exit
  trap 'rm -rf -- "$work"' EXIT
}
