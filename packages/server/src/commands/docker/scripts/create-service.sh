# Makes a service of the Swarm by the Engine's own API, unless one of that name is there. What lets its node pull the image is the first line
# of standard input, in the Engine's form, and its definition is the rest: NAME
engine_socket || { echo 'curl is missing on the manager, or docker reaches its Engine by no socket' >&2; exit 1; }
! docker service inspect --format '{{.ID}}' -- "$1" >/dev/null 2>&1 || exit 0
read -r auth
# Process lists show words of commands.
answer=$(engine --config /dev/fd/3 --header 'Content-Type: application/json' --data-binary @- --write-out '\n%{http_code}' \
  http://docker/services/create 3<<EOT
header = "X-Registry-Auth: $auth"
EOT
) || exit
case ${answer##*
} in
  201 | 409) exit 0 ;;
esac
printf '%s\n' "${answer%
*}" >&2
exit 1
