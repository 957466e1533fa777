# Requests the first page of a domain as a visitor would, through HAProxy's own listener: FOLDER DOMAIN SECONDS NAME
# If a route needs a password, it queries the application directly, with the headers that HAProxy sets: its response is what matters. Prints
# the start of the response with its headers in base64; nothing if there is none, or no curl.
enter "$1"
domain=$2 seconds=$3 name=$4

visit() {
  curl --disable --silent --include --insecure --noproxy '*' --globoff --max-time "$seconds" --user-agent "$name" \
    --header 'Accept: text/html, */*' "$@" 2>/dev/null | head -c 16384 | base64 | tr -d '\n'
}

# listener REST: port and address that HAProxy listens on, from the line that ends with REST.
listener() {
  read -r port address <<END
$(sed -n "s/^ *bind \([0-9.*]*\):\([0-9]\{1,5\}\) thread odd$1\$/\2 \1/p" haproxy.cfg 2>/dev/null | head -n 1)
END
  case $address in '' | '*' | 0.0.0.0) address=127.0.0.1 ;; esac
}

answer=
route=$(awk -v domain="$domain" '$1 == domain { print $2; exit }' routes.map 2>/dev/null) || route=
if [ -n "$route" ] && command -v curl >/dev/null; then
  IFS=: read -r port _ digest scheme _ <<END
$route
END
  if [ "$digest" != none ]; then
    application=127.0.0.1:$port
    # Where the port is a balance group, any of its upstreams.
    if [ -e groups.cfg ]; then
      application=$(awk -v port="$port" '$1 == port { print ($3 ~ /:/ ? "[" $3 "]" : $3) ":" $4; exit }' upstreams 2>/dev/null) || :
    fi
    [ -z "$application" ] || answer=$(visit --header "Host: $domain" --header "X-Forwarded-Host: $domain" --header "X-Forwarded-Proto: $scheme" \
      --header 'X-Forwarded-For: 127.0.0.1' "http://$application/") || :
  else
    if [ "$scheme" = https ]; then listener ' ssl .*'; else listener ''; fi
    [ -z "$port" ] || answer=$(visit --connect-to "::$address:$port" "$scheme://$domain/") || :
  fi
fi
echo "shipway-edge visit $answer"
