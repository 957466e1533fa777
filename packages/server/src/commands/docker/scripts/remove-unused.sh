# Removes containers of one-off commands that were made for a terminal and not started within some minutes: INSTALLATION MINUTES
# Where docker is not there or does not answer there is nothing to see; the next cleanup may see it.
# BusyBox knows no relative times.
before=$(date -u -d "@$(($(date +%s) - $2 * 60))" +%Y-%m-%dT%H:%M:%S) || exit
found=$(docker ps --all --no-trunc --quiet --filter status=created --filter label=shipway.mode=one_off --filter label=shipway.task= \
  --filter "label=shipway.installation=$1" 2>/dev/null) || exit 0
for id in $found; do
  created=$(docker inspect --type container --format '{{.Created}}' -- "$id" 2>/dev/null) || continue
  [ "$(printf '%s\n%.19s\n' "$before" "$created" | sort | tail -n 1)" != "$before" ] || docker rm --volumes -- "$id" >/dev/null 2>&1
done
exit 0
