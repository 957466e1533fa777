# Prints the id of each image and the volumes it declares as JSON, or "none", a line each: IMAGE...
for image in "$@"; do
  docker image inspect --format '{{.Id}} {{json .Config.Volumes}}' -- "$image" 2>/dev/null || echo none
done
