# Prints the environment and the task of each container and of each network of a release, a line each: INSTALLATION
# Prints nothing where docker is missing or does not answer; the next run may find it.
docker ps --all --filter "label=shipway.installation=$1" \
  --format '{{.Label "shipway.environment"}} {{.Label "shipway.task"}}' 2>/dev/null || exit 0
docker network ls --filter "label=shipway.installation=$1" --filter label=shipway.release \
  --format '{{.Label "shipway.environment"}} {{.Label "shipway.release"}}' 2>/dev/null || exit 0
