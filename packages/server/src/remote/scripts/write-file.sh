# Writes a file atomically, readable by its owner only: PATH [program]. Standard input: a line with the number of bytes, then the bytes.
# When the platform is killed or cut off, truncated input ends like complete input, so the length comes first. The next write removes
# temporary files that such an end left behind.
set -e
umask 077
[ -d "${1%/*}" ] || mkdir -p -- "${1%/*}"
if [ "${2-}" = program ]; then
  # Other processes may be writing the same file: their temporary files can disappear while find runs.
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
