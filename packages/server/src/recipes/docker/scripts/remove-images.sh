# Removes the images of an environment whose tags are not among those to keep: INSTALLATION ENVIRONMENT TAG...
installation=$1 environment=$2
shift 2
keep=" $* "
docker image ls --format '{{.Tag}} {{.Repository}}:{{.Tag}}' --filter "label=shipway.installation=$installation" \
  --filter "label=shipway.environment=$environment" | while read -r tag name; do
  case $keep in *" $tag "*) ;; *) docker image rm -- "$name" >/dev/null || echo "$name stays" ;; esac
done
