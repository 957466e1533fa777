# Prints what decides what Compose makes of compose files beside their own words: its environment, the programs by their paths and times,
# and the digests of files of the release, of those that are there: RELEASE FILE...
cd -- "$1" || exit
shift
settings=${DOCKER_CONFIG:-$HOME/.docker}
printf '%s\n' "$PATH" "$HOME" "${DOCKER_HOST-}" "${DOCKER_CONTEXT-}" "${DOCKER_CONFIG-}" "${XDG_RUNTIME_DIR-}"
stat -L -c '%n %d:%i %s %Y %Z' "$(command -v docker)" "$settings/config.json" "$settings/cli-plugins/docker-compose" \
  /usr/local/lib/docker/cli-plugins/docker-compose /usr/local/libexec/docker/cli-plugins/docker-compose \
  /usr/lib/docker/cli-plugins/docker-compose /usr/libexec/docker/cli-plugins/docker-compose 2>/dev/null
[ "$#" -eq 0 ] || sha256sum -- "$@" 2>/dev/null
exit 0
