# Checks that paths of releases lead where their words say: RELEASES PATH...
releases=$1
shift
for path in "$@"; do
  rest=${path#"$releases"/}
  [ -e "$path" ] && is_plain "$releases/${rest%%/*}" "$path" && continue
  echo "$path is not what it was when it was checked: it is gone, or a link leads elsewhere. Deploy again"
  exit 1
done
