# Prints each container of an environment as a line of JSON, with nothing in it that could hold a variable:
# INSTALLATION ENVIRONMENT FORMAT
list() {
  ids=$(docker ps --all --quiet --no-trunc --filter "label=shipway.installation=$1" --filter "label=shipway.environment=$2") || return
  [ -z "$ids" ] || found=$(docker inspect --type container --format "$3" -- $ids)
}
found=
# One that goes between the two calls is an error of the second; the next look does not see it any more.
list "$@" || list "$@" || list "$@" || exit
printf '%s\n' "$found"
