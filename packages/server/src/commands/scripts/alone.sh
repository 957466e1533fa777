# Runs a command with an exclusive lock on a mirror: MIRROR COMMAND... Removes the lock files of a killed process first.
set -eu
if [ -d "$1/objects/pack" ]; then
  find "$1" -type f \( -name '*.lock' -o -name '*.keep' -o -name 'tmp_*' -o -name packed-refs.new \) -exec rm -f -- {} +
else
  git init --quiet --bare --template= --initial-branch=none -- "$1"
fi
shift
exec "$@"
