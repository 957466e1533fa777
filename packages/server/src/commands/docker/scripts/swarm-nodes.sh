# Prints the Swarm of this machine as a line of JSON, the free memory and disk of the machine in KiB, and each node as a line of JSON.
# Ends with 3 where this machine is no manager of a working Swarm.
docker info --format '{"id":{{if .Swarm.Cluster}}{{json .Swarm.Cluster.ID}}{{else}}null{{end}},"node":{{json .Swarm.NodeID}},"address":{{json .Swarm.NodeAddr}},"is_manager":{{json .Swarm.ControlAvailable}},"state":{{json .Swarm.LocalNodeState}},"error":{{json .Swarm.Error}}}' || exit
set -- "$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)" "$(df -Pk -- "$(docker info --format '{{.DockerRootDir}}')" 2>/dev/null | awk 'NR == 2 { print $4 }')"
printf '%s %s\n' "${1:--}" "${2:--}"
nodes=$(docker node ls --quiet) || exit 3
[ -n "$nodes" ] || exit 3
# Ids are letters and digits.
# shellcheck disable=SC2086
docker node inspect --format '{"id":{{json .ID}},"name":{{json .Description.Hostname}},"role":{{json .Spec.Role}},"availability":{{json .Spec.Availability}},"labels":{{json .Spec.Labels}},"state":{{json .Status.State}},"address":{{json .Status.Addr}},"manager":{{json .ManagerStatus}},"nano_cpus":{{json .Description.Resources.NanoCPUs}},"memory":{{json .Description.Resources.MemoryBytes}}}' $nodes || exit 3
