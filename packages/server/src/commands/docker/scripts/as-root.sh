# Runs a program of the machine as root, in a container that has nothing but what is named: INSTALLATION MOUNT PROGRAM WORD...
# An account that may use docker can do this anyway. The image has nothing in it: programs come from the machine itself, read only.
as_root() {
  installation=$1 mount=$2
  shift 2
  image=$(head -c 1024 /dev/zero | docker import --change "LABEL shipway.installation=$installation" -) || return
  programs=
  for folder in /bin /sbin /lib /lib32 /lib64 /usr; do
    [ ! -d "$folder" ] || programs="$programs --mount type=bind,source=$folder,target=$folder,readonly"
  done
  docker run --rm --pull never --network none --log-driver none --user 0 --label "shipway.installation=$installation" \
    --cap-drop ALL --cap-add DAC_OVERRIDE --cap-add FOWNER --security-opt label=disable \
    $programs --mount "$mount" "$image" "$@"
  code=$?
  docker image rm --force -- "$image" >/dev/null
  return "$code"
}
