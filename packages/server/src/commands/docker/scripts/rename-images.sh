# Gives images the names of now that were built when names could be guessed: INSTALLATION [ENVIRONMENT TOKEN]...
# Prints nothing where docker is missing or does not answer; the next run may find it.
installation=$1
shift
names=$(docker image ls --filter "label=shipway.installation=$installation" --format '{{.Repository}}:{{.Tag}}' 2>/dev/null) || exit 0
while [ "$#" -gt 0 ]; do
  old=shipway-$installation-$1- new=shipway-$2-
  for name in $names; do
    case $name in "$old"*) ;; *) continue ;; esac
    docker image tag -- "$name" "$new${name#"$old"}" && docker image rm -- "$name" >/dev/null || exit
  done
  shift 2
done
