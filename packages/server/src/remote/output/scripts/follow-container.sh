# Writes the output of a container to a file until the container ends, because another program is about to remove it: FOLDER BYTES CONTAINER
# Returns when everything printed so far is written, or after twenty seconds.
umask 077
id=$(printf %.12s "$3")
service=$(docker inspect --type container --format '{{index .Config.Labels "shipway.service"}}' -- "$3" 2>/dev/null) || exit 0
is_service "$service" || exit 0
mkdir -p -- "$1" || exit
file=$1/.$id.$service.following
# A deployment that another worker took over does this again.
rm -f -- "$file"
: >"$file" || exit
# Stops after a while, in case the container is not removed after all.
setsid sh -c 'timeout 900 docker logs --timestamps --tail 1000000 --follow -- "$1" 2>&1 | head -c "$2" >>"$3"' shipway-follow \
  "$3" "$2" "$file" </dev/null >/dev/null 2>&1 &
before=0 calm=0 looks=0
while [ "$calm" -lt 2 ] && [ "$looks" -lt 200 ]; do
  sleep 0.1
  now=$(($(wc -c <"$file")))
  if [ "$now" = "$before" ]; then calm=$((calm + 1)); else calm=0; fi
  before=$now looks=$((looks + 1))
done
exit 0
