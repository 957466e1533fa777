# Writes the output of a container to a file until the container ends, because another program is about to remove it: FOLDER BYTES CONTAINER
# Returns when everything that the container has printed before now is written, or after thirty seconds.
umask 077
id=$(printf %.12s "$3")
service=$(docker inspect --type container --format '{{index .Config.Labels "shipway.service"}}' -- "$3" 2>/dev/null) || exit 0
is_service "$service" || exit 0
mkdir -p -- "$1" || exit
file=$1/.$id.$service.following
# A deployment that another worker took over does this again.
rm -f -- "$file"
: >"$file" || exit
# Stops after a while, in case the container is not removed after all. dd writes what it reads at once, head does not.
setsid sh -c 'timeout 900 docker logs --timestamps --tail 1000000 --follow -- "$1" 2>&1 | dd bs=65536 iflag=count_bytes count="$2" 2>/dev/null >>"$3"' shipway-follow \
  "$3" "$2" "$file" </dev/null >/dev/null 2>&1 &
# The follower has begun when it has written what a reading of its own returns. Of a container that has printed nothing, it is given a second.
printed=$(docker logs --timestamps --tail 1000000 -- "$3" 2>&1 | head -c "$2" | wc -c)
[ "$printed" -gt 0 ] || sleep 1
looks=0
while [ "$(($(wc -c <"$file")))" -lt "$((printed))" ] && [ "$looks" -lt 300 ]; do
  sleep 0.1
  looks=$((looks + 1))
done
exit 0
