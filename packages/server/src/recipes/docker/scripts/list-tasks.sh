# Prints the environment and the task of each container of the platform, a line each: INSTALLATION
# Where docker is not there or does not answer there is nothing to see; the next look may see it.
docker ps --all --filter "label=shipway.installation=$1" \
  --format '{{.Label "shipway.environment"}} {{.Label "shipway.task"}}' 2>/dev/null || exit 0
