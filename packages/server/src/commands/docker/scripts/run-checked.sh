# Runs Compose with the file that was checked, and only with that: RELEASE PATHS FILE DIGEST WORD...
# The digest is of FILE and then PATHS, which has the paths below the release that are mounted, one a line; without any it is not there.
release=$1 paths=$2 file=$3 digest=$4
shift 4
[ -e "$paths" ] || paths=/dev/null
if [ "$(cat -- "$file" "$paths" | sha256sum)" != "$digest  -" ]; then
  echo 'What was checked of the compose file is not on the server any more as it was. Deploy again'
  exit 1
fi
while IFS= read -r path; do
  [ -e "$path" ] && is_plain "$release" "$path" && continue
  echo "$path is not what it was when it was checked: it is gone, or a link leads elsewhere"
  exit 1
done <"$paths"
exec "$@"
