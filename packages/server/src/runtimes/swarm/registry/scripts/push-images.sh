# Pushes images to a repository under a tag each, and writes "TAG DIGEST" lines to the file "digests": REPOSITORY LOCK (TAG IMAGE)...
# SHIPWAY_REGISTRY holds the settings by which docker signs in. LOCK is "-" for a registry that others clean up.
umask 077
repository=$1 lock=$2
shift 2
trap 'rm -rf sign-in' EXIT
mkdir -p sign-in && printf %s "$SHIPWAY_REGISTRY" >sign-in/config.json || exit
unset SHIPWAY_REGISTRY
if [ "$lock" != - ]; then
  exec 9>>"$HOME/$lock"
  # What a push has sent belongs to no image until its end: the removal of unused parts waits for it.
  flock --shared 9 || exit
fi
: >digests.new
while [ "$#" -gt 0 ]; do
  echo "Pushing $2"
  docker image tag -- "$2" "$repository:$1" || exit
  # What it prints to a file has no progress in it.
  docker --config sign-in push -- "$repository:$1" >said 2>&1 || { tail -n 3 said; exit 1; }
  digest=$(sed -n 's/^.*: digest: \(sha256:[0-9a-f]\{64\}\) size: [0-9]*$/\1/p' said | tail -n 1)
  [ -n "$digest" ] || { tail -n 3 said; echo 'docker named no digest'; exit 1; }
  # Takes the name away and leaves the image.
  docker image rm --no-prune -- "$repository:$1" >/dev/null || exit
  echo "$1 $digest" >>digests.new
  shift 2
done
mv digests.new digests
