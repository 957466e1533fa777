# Writes a file for its owner alone, which is there whole or not at all: PATH [program]. On standard input: a line with the number of bytes, then
# the bytes. Half an input ends like a whole one when the platform is killed or cut off, so the length comes first. Drafts that such an
# end left behind are taken away by the next write.
set -e
umask 077
[ -d "${1%/*}" ] || mkdir -p -- "${1%/*}"
if [ "${2-}" = program ]; then
  # It is one for the whole server: others may be writing it now, and their drafts be gone when find looks at them.
  find "${1%/*}" -maxdepth 1 -name "${1##*/}.new.*" -mmin +60 -exec rm -f -- {} + 2>/dev/null || :
else
  for draft in "$1".new.*; do [ ! -e "$draft" ] || rm -f -- "$draft"; done
fi
draft=$(mktemp -- "$1.new.XXXXXX")
trap 'rm -f -- "$draft"' EXIT
read -r bytes
cat >"$draft"
if [ "$(($(wc -c <"$draft")))" -ne "$bytes" ]; then
  echo 'the content did not arrive whole' >&2
  exit 1
fi
[ "${2-}" != program ] || chmod 700 -- "$draft"
sync -- "$draft"
mv -fT -- "$draft" "$1"
trap - EXIT
