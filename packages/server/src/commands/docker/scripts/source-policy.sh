# Whether the Engine and Buildx obey source policies: old ones ignore them without a word. A build that a policy forbids is tried; where
# it is ignored, nothing listens at that port. Prints what Docker said where it does not obey.
obeys_source_policy() {
  probe=$(mktemp -d) || return
  printf 'FROM scratch\nADD http://127.0.0.1:1/ /\n' >"$probe/Dockerfile"
  printf '{"version":1,"rules":[{"action":"DENY","selector":{"identifier":"*"}},{"action":"ALLOW","selector":{"identifier":"local://*"}}]}' \
    >"$probe/policy.json"
  # An Engine that hangs blocks no deployment.
  limit=
  ! command -v timeout >/dev/null || limit='timeout 20'
  said=$(EXPERIMENTAL_BUILDKIT_SOURCE_POLICY="$probe/policy.json" $limit docker buildx build --progress plain -- "$probe" 2>&1)
  rm -rf -- "$probe"
  case $said in
    *'source "http://127.0.0.1:1/" denied by policy'*) return 0 ;;
  esac
  printf '%s\n' "$said" | tail -n 1
  return 1
}
