# Pulls each image that the server does not have: IMAGE...
for image in "$@"; do
  docker image inspect --format '{{.Id}}' -- "$image" >/dev/null 2>&1 && continue
  echo "Pulling $image"
  docker pull --quiet -- "$image" || exit
done
