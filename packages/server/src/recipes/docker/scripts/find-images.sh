# Prints the id of each image and how many volumes it declares, or "none", a line each: IMAGE...
for image in "$@"; do
  docker image inspect --format '{{.Id}} {{if .Config.Volumes}}{{len .Config.Volumes}}{{else}}0{{end}}' -- "$image" 2>/dev/null || echo none
done
