# Makes folders in volumes of an environment, for mounts that lie in them: INSTALLATION ENVIRONMENT PROJECT, then NAME KEY FOLDER PLACE
# for each
installation=$1 environment=$2 project=$3
shift 3
while [ "$#" -gt 0 ]; do
  # As Compose would make it. One that is there stays as it is.
  docker volume create --label "com.docker.compose.project=$project" --label "com.docker.compose.volume=$2" \
    --label "shipway.installation=$installation" --label "shipway.environment=$environment" --label "shipway.folder=$3" \
    -- "$1" >/dev/null || exit
  as_root "$installation" "type=volume,source=$1,target=/files,volume-nocopy" "$(command -v mkdir)" -p -- "/files/$4" || exit
  shift 4
done
