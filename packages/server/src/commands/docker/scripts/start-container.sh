# Makes a container as it stands on standard input, and starts it, without Compose: NAME INSTALLATION ENVIRONMENT TASK SERVICE
# It ends with 3 where that does not work, whatever the reason: Compose then goes on with what is there, or says why it cannot.
name=$1 owner=$2/$3/$4/$5
fail() { exit 3; }
engine_socket || fail
start=http://docker/containers/$name/start

# One program does both: whatever the Engine does not make, it does not start.
codes=$(engine --fail --fail-early --output /dev/null --write-out '%{http_code}' --header 'Content-Type: application/json' --data-binary @- \
  --url "http://docker/containers/create?name=$name" \
  --next --silent --noproxy '*' --globoff --max-time 120 --unix-socket "$socket" --output /dev/null --write-out '%{http_code}' \
  --request POST --url "$start")
case $codes in
  201204) exit 0 ;;
  # A try that was cut off may have made it.
  409*)
    label() { printf '{{index .Config.Labels "shipway.%s"}}' "$1"; }
    format=$(label installation)/$(label environment)/$(label task)/$(label service)
    [ "$(docker inspect --type container --format "$format" -- "$name")" = "$owner" ] || fail ;;
  *) fail ;;
esac
code=$(engine --output /dev/null --write-out '%{http_code}' --request POST --url "$start") || fail
# 304: it runs already.
case $code in 204 | 304) ;; *) fail ;; esac
