# Runs a command on a mirror that nobody else changes now: MIRROR COMMAND...
# What a dead one left half-done is swept away first.
set -eu
if [ -d "$1/objects/pack" ]; then
  find "$1" -type f \( -name '*.lock' -o -name '*.keep' -o -name 'tmp_*' -o -name packed-refs.new \) -exec rm -f -- {} +
else
  git init --quiet --bare --template= --initial-branch=none -- "$1"
fi
shift
exec "$@"
