# Runs the one-off command that a certificate was issued for, with this connection as its terminal: CONTAINER
# sshd runs it, whatever the holder of the certificate asks for. The platform has made the container with the words of the command in it, or
# on a Swarm a service with them; it runs once, and is gone afterwards. Exits with the exit code of the command.
container=$1
if docker inspect --type container --format '{{.Id}}' -- "$container" >/dev/null 2>&1; then
  kind=container
elif claim "$container"; then
  kind=service
else
  echo 'This command has run already, or its environment is gone. Run it again' >&2
  exit 69
fi

# The process of sshd for this connection, or whatever started this.
anchor=$PPID parent=$PPID
for _ in 1 2 3 4; do
  case $(cat "/proc/$parent/comm" 2>/dev/null) in sshd*) anchor=$parent; break ;; esac
  { read -r line <"/proc/$parent/stat"; } 2>/dev/null || break
  parent=$(echo "${line##*) }" | cut -d ' ' -f 2)
done
{ read -r line <"/proc/$anchor/stat"; } 2>/dev/null || exit 1
started=$(started_in "$line")

# Ends the command with the connection, also where a closed terminal has ended this script.
{
  trap '' HUP INT
  while runs_since "$anchor" "$started"; do sleep 1; done
  if [ "$kind" = service ]; then
    # Managers that have lost each other remove nothing. The claim stays as long as the service.
    for pause in 5 5 10 20 40 80 160 320; do
      end_hold "$container" 10 && rmdir "$claims/$container" && break
      sleep "$pause"
    done
  else
    docker stop -- "$container"
    docker rm --force --volumes -- "$container"
  fi
} </dev/null >/dev/null 2>&1 &
watcher=$!

# Docker's own keys to leave a container cannot be left out, and would take Ctrl-P away from shells and editors.
key=ctrl-@ key=$key,$key,$key,$key key=$key,$key,$key,$key
if [ "$kind" = service ]; then
  run_held "$container" "$key"
else
  docker start --attach --interactive --detach-keys "$key" -- "$container"
fi
code=$?
kill "$watcher"
# The Engine removes it, unless it could not start.
if [ "$kind" = service ]; then
  end_hold "$container" 0 && rmdir "$claims/$container"
else
  docker rm --force --volumes -- "$container" >/dev/null 2>&1
fi
exit "$code"
