# Makes a container as it stands on standard input, and starts it, without Compose: NAME NETWORK INSTALLATION ENVIRONMENT TASK SERVICE
# It ends with 3 where that does not work, whatever the reason: Compose then goes on with what is there, or says why it cannot.
name=$1 network=$2 owner=$3/$4/$5/$6
fail() { exit 3; }
engine_socket || fail

# A network that was made with other settings is Compose's to judge.
found=$(engine --fail -- "http://docker/networks/$network" |
  sed 's/"com.docker.network.enable_ipv4":"true",\{0,1\}//; s/"com.docker.network.enable_ipv6":"false",\{0,1\}//') || fail
for part in '"Driver":"bridge"' '"Internal":false' '"Attachable":false' '"EnableIPv6":false' '"ConfigOnly":false' '"Options":{},"Labels":'; do
  case $found in *"$part"*) ;; *) fail ;; esac
done

code=$(engine --output /dev/null --write-out '%{http_code}' --header 'Content-Type: application/json' --data-binary @- -- \
  "http://docker/containers/create?name=$name") || fail
case $code in
  201) ;;
  # A try that was cut off may have made it.
  409)
    label() { printf '{{index .Config.Labels "shipway.%s"}}' "$1"; }
    format=$(label installation)/$(label environment)/$(label task)/$(label service)
    [ "$(docker inspect --type container --format "$format" -- "$name")" = "$owner" ] || fail ;;
  *) fail ;;
esac
code=$(engine --output /dev/null --write-out '%{http_code}' --request POST -- "http://docker/containers/$name/start") || fail
# 304: it runs already.
case $code in 204 | 304) ;; *) fail ;; esac
