# Removes from a repository what is no longer needed: FOLDER REPOSITORY INSTALLATION ENVIRONMENT TASK...
# Keeps the images of these tasks and of later ones, and those that a service names, also one that could be rolled back to.
cd -- "$HOME/$1" 2>/dev/null || exit 0
# What a push has sent has no tag until its end. The next clean-up is as good.
exec 9>>lock
flock --exclusive --wait 60 9 || exit 0
cd -- "$HOME/$1/data/docker/registry/v2/repositories/$2/_manifests" 2>/dev/null || exit 0
blobs=../../../blobs/sha256
services=$(docker service ls --quiet --filter "label=shipway.installation=$3" --filter "label=shipway.environment=$4") || exit
named=
if [ -n "$services" ]; then
  named=$(docker service inspect --format \
    '{{.Spec.TaskTemplate.ContainerSpec.Image}} {{with .PreviousSpec}}{{with .TaskTemplate.ContainerSpec}}{{.Image}}{{end}}{{end}}' \
    $services) || exit
fi
shift 4
newest=0
for task do [ "$task" -le "$newest" ] || newest=$task; done
kept=" $(printf '%s' "$named" | grep -o '[0-9a-f]\{64\}' | tr '\n' ' ')"
for tag in tags/*; do
  [ -e "$tag" ] || continue
  task=${tag#tags/r}
  task=${task%%-*}
  case $task in '' | *[!0-9]*) continue ;; esac
  [ "$task" -le "$newest" ] || set -- "$@" "$task"
  case " $* " in
  *" $task "*) kept="$kept$(sed 's/^sha256://' "$tag/current/link") " ;;
  *) rm -rf -- "$tag" ;;
  esac
done
# An image of several platforms names others of the repository.
for digest in $kept; do
  [ ! -e "revisions/sha256/$digest" ] ||
    kept="$kept$(grep -o 'sha256:[0-9a-f]\{64\}' "$blobs/$(printf %.2s "$digest")/$digest/data" | sed 's/^sha256://' | tr '\n' ' ') "
done
for revision in revisions/sha256/*; do
  case $kept in
  *" ${revision##*/} "*) ;;
  *) rm -rf -- "$revision" ;;
  esac
done
