# Prints the number of each environment that docker has anything of, a line each: INSTALLATION
ours="label=shipway.installation=$1"
label='{{.Label "shipway.environment"}}'
containers=$(docker ps --all --filter "$ours" --format "$label") || exit
networks=$(docker network ls --filter "$ours" --format "$label") || exit
volumes=$(docker volume ls --filter "$ours" --format "$label") || exit
ids=$(docker image ls --quiet --no-trunc --filter "$ours" | sort -u) || exit
images=
# One that goes between the two calls is an error of the second; the others are printed all the same.
[ -z "$ids" ] || images=$(docker image inspect --format '{{index .Config.Labels "shipway.environment"}}' -- $ids 2>/dev/null)
printf '%s\n' "$containers" "$networks" "$volumes" "$images" | sort -u
