# Makes the networks of a release: INSTALLATION ENVIRONMENT PROJECT TASK, then KEY NAME COUNT OPTION... for each
# With the labels by which Compose knows its own, so that whatever looks for those finds them.
installation=$1 environment=$2 project=$3 task=$4
shift 4
while [ "$#" -gt 0 ]; do
  key=$1 name=$2 count=$3 options=
  shift 3
  while [ "$count" -gt 0 ]; do
    options="$options $1"
    shift
    count=$((count - 1))
  done
  said=$(docker network create --driver bridge $options --label "com.docker.compose.project=$project" \
    --label "com.docker.compose.network=$key" --label "shipway.installation=$installation" \
    --label "shipway.environment=$environment" --label "shipway.release=$task" -- "$name" 2>&1 >/dev/null) ||
    # A try that was cut off may have made it.
    docker network inspect --format '{{.Id}}' -- "$name" >/dev/null 2>&1 ||
    { printf '%s\n' "$said" >&2; exit 1; }
done
