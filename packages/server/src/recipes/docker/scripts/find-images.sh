# Prints of each image its id, the volumes and, after a tab, the ports that it declares, as JSON; or "none", a line each: IMAGE...
for image in "$@"; do
  docker image inspect --format '{{.Id}} {{json .Config.Volumes}}{{"\t"}}{{json .Config.ExposedPorts}}' -- "$image" 2>/dev/null || echo none
done
