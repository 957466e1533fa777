# Prints of the container that a task has started for a service how it ended, or nothing: INSTALLATION ENVIRONMENT TASK SERVICE FORMAT
ids=$(docker ps --all --quiet --no-trunc --filter "label=shipway.installation=$1" --filter "label=shipway.environment=$2" \
  --filter "label=shipway.task=$3" --filter "label=shipway.service=$4") || exit
# One that goes meanwhile is not there any more.
[ -z "$ids" ] || docker inspect --type container --format "$5" -- $ids 2>/dev/null || exit 0
