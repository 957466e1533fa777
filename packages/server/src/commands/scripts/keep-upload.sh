# Checks a pack that a user sent, and keeps its commit in a mirror if WHAT is `keep`: WHAT MIRROR SHA BASE PACK KEPT SENT MOST GIT DESCRIBE
# BASE is a kept commit, or empty. KEPT and SENT are the prefixes of refs that keep commits and of refs that mark uploads. The pack may
# unpack to at most MOST bytes. GIT and DESCRIBE are lists in one word each, without anything that needs quotes.
# The pack is checked outside of the mirror, so that nothing of a refused one gets there. Prints the commit.
set -eu
what=$1
shift
mirror=$1 sha=$2 base=$3 pack=$4 kept_refs=$5 sent_refs=$6 most=$7 git=$8 describe=$9
checked=$pack.objects
in_mirror() { $git --git-dir="$mirror" "$@"; }
in_both() {
  env GIT_OBJECT_DIRECTORY="$checked" GIT_ALTERNATE_OBJECT_DIRECTORIES="\"$mirror/objects\"" $git --git-dir="$mirror" "$@"
}
refuse() {
  echo "refused: $1" >&2
  exit 65
}
if [ -n "$base" ]; then
  in_mirror rev-parse --quiet --verify "$kept_refs/$base^{commit}" >/dev/null || exit 67
  # An upload is no base, because it can be forgotten. The base of a stored pack was checked when the pack arrived: if it is an upload now,
  # a user has sent a commit that the repository has, too.
  if [ "$what" = check ] && in_mirror rev-parse --quiet --verify "$sent_refs/$base" >/dev/null; then exit 67; fi
fi
mkdir -p "$checked/pack"
ln "$pack" "$checked/pack/sent.pack"
in_both index-pack --strict=zeroPaddedFilemode=ignore,badFilemode=ignore --threads=1 "$checked/pack/sent.pack" >"$checked/name" || exit 65
in_mirror show-index <"$checked/pack/sent.idx" | cut -d ' ' -f 2 | sort >"$checked/came"
unpacked=$(in_both cat-file --batch-check='%(objectsize)' <"$checked/came" | awk '{ sum += $1 } END { printf "%.0f", sum }')
[ "$unpacked" -le "$most" ] || refuse "it unpacks to $unpacked bytes"
[ "$(in_both cat-file -t "$sha" 2>/dev/null)" = commit ] || refuse "it does not have the commit $sha"
if in_both cat-file commit "$sha" | sed '/^$/q' | grep -q '^parent '; then refuse "its commit has parents"; fi
# Exactly the commit and what is new in its tree: nothing that no file leads to, and nothing that only another commit of the mirror has.
{
  echo "$sha"
  in_both rev-list --objects --no-object-names "$sha^{tree}" ${base:+--not "$base^{tree}"}
} | sort >"$checked/needed"
cmp -s "$checked/came" "$checked/needed" || refuse "it does not have exactly what the files of its commit need"
in_both $describe "$sha" --
[ "$what" = keep ] || exit 0
name=$(cat "$checked/name")
chmod a-w "$checked"/pack/sent.*
for part in pack rev idx; do
  [ ! -e "$checked/pack/sent.$part" ] || mv -f "$checked/pack/sent.$part" "$mirror/objects/pack/pack-$name.$part"
done
# The mirror is broken.
trap '[ "$?" -eq 0 ] || exit 76' EXIT
printf 'update %s %s\n' "$kept_refs/$sha" "$sha" "$sent_refs/$sha" "$sha" | in_mirror update-ref --stdin
in_mirror gc --auto --quiet
