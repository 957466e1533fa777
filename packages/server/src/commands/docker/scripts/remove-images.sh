# Removes the images of an environment that are older than a task's and not among those to keep: INSTALLATION ENVIRONMENT TASK TAG...
# Those of a later task may be in the making.
installation=$1 environment=$2 task=$3
shift 3
keep=" $* "
docker image ls --format '{{.Tag}} {{.Repository}}:{{.Tag}}' --filter "label=shipway.installation=$installation" \
  --filter "label=shipway.environment=$environment" | while read -r tag name; do
  case $tag in '' | *[!0-9]*) continue ;; esac
  [ "$tag" -lt "$task" ] || continue
  case $keep in *" $tag "*) ;; *) docker image rm -- "$name" >/dev/null || echo "$name stays" ;; esac
done
