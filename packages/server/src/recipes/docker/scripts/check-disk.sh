# Prints how many KiB are free where docker keeps images and where the platform keeps its files: FOLDER
root=$(docker info --format '{{.DockerRootDir}}') || exit
free() { df -Pk -- "$1" | while read -r _ _ _ kib _; do echo "$kib"; done | tail -n 1; }
free "$root"
free "$1"
