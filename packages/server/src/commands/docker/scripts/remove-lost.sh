# Removes containers of one-off commands whose terminal a platform process carried that is gone: INSTALLATION PROCESS
found=$(docker ps --all --no-trunc --quiet --filter label=shipway.mode=one_off --filter "label=shipway.installation=$1" \
  --filter "label=shipway.process=$2") || exit
for id in $found; do
  docker stop --time 3 -- "$id" >/dev/null 2>&1
  # The Engine may be removing it by itself.
  docker rm --force --volumes -- "$id" >/dev/null 2>&1
done
exit 0
