# Succeeds if the edge answers challenges with a thumbprint: FOLDER THUMBPRINT.
enter "$1"
is_ready=no
if is_answered 'show map'; then
  map=$(printf '%s\n' "$answer" | sed -n 's|^[-0-9]* (\([^)]*/acme\.map\)) .*|\1|p' | head -n 1)
  [ -z "$map" ] || ! ask "show map $map" | grep -q "thumbprint $2\$" || is_ready=yes
fi
echo "shipway-edge $is_ready"
