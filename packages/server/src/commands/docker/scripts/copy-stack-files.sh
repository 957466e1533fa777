# Copies files of a release to where they cannot change any more, and prints the digest of each, with `x` for one that can be run:
# RELEASE FOLDER PATH...
# The name of a copy is its number.
release=$1 folder=$2
shift 2
umask 077
mkdir -p -- "$folder" || exit
number=0
for path in "$@"; do
  number=$((number + 1))
  if [ ! -e "$path" ] || ! is_plain "$release" "$path"; then
    echo "$path is not what it was when it was checked: it is gone, or a link leads elsewhere" >&2
    exit 1
  fi
  [ -f "$path" ] || { echo "$path is a folder, which a Swarm cannot give to its nodes. Put its files into the image" >&2; exit 1; }
  cp -- "$path" "$folder/$number" || exit
  if [ -x "$path" ]; then kind=x; else kind=-; fi
  echo "$(sha256sum <"$folder/$number" | cut -d ' ' -f 1) $kind"
done
