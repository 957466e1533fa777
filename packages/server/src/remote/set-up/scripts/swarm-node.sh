#!/bin/sh
# Keeps this node of a Swarm in order: lets Docker trust the registries of the Swarm's managers, each for its own address only, and removes
# images of environments that no container here has used for two runs.
umask 022
LC_ALL=C
export LC_ALL
state=/var/lib/shipway/@installation@
mkdir -p "$state" || exit

managers=$(docker info --format '{{.Swarm.NodeAddr}}{{range .Swarm.RemoteManagers}} {{.Addr}}{{end}}') || exit
for manager in $managers; do
  address=${manager%:*}
  case $address in
    '' | *[!0-9.]*) continue ;;
  esac
  folder=/etc/docker/certs.d/$address:5443
  cmp -s /usr/local/lib/shipway/registry-@installation@.crt "$folder/ca.crt" && continue
  mkdir -p "$folder" && cp /usr/local/lib/shipway/registry-@installation@.crt "$folder/ca.crt" || exit
done

containers=$(docker ps --all --quiet) || exit
# One word for each container.
# shellcheck disable=SC2086
[ -z "$containers" ] || docker inspect --type container --format '{{.Config.Image}}' $containers 2>/dev/null | sort -u >"$state/used"
[ -n "$containers" ] || : >"$state/used"
docker image ls --digests --format '{{.Repository}}@{{.Digest}}' |
  grep '/shipway-@installation@-env-[0-9]*-[0-9a-f]*@sha256:' | sort -u | comm -23 - "$state/used" >"$state/unused.new"
touch "$state/unused"
comm -12 "$state/unused" "$state/unused.new" | while read -r image; do
  # One that is used again by now stays.
  docker image rm -- "$image" >/dev/null 2>&1 || :
done
mv "$state/unused.new" "$state/unused"
