# Makes a commit that has the files of its submodules in their folders, points REF to it and prints its tree: MIRROR SHA REF GIT
# Reads a line `COMMIT PATH` for each submodule, outer ones first. GIT is the start of a git command as one word that needs no quotes. Works
# on an index alone: no file is written, and git refuses paths that would leave the checkout.
set -eu
mirror=$1 sha=$2 ref=$3 git=$4
none=0000000000000000000000000000000000000000
export GIT_INDEX_FILE="$mirror/tmp_submodules"
export GIT_AUTHOR_NAME=shipway GIT_AUTHOR_EMAIL=shipway GIT_COMMITTER_NAME=shipway GIT_COMMITTER_EMAIL=shipway
trap 'rm -f -- "$GIT_INDEX_FILE" "$GIT_INDEX_FILE.lock"' EXIT
in_mirror() { $git --git-dir="$mirror" "$@"; }
in_mirror read-tree "$sha^{tree}"
while read -r commit path; do
  printf '0 %s\t%s\n' "$none" "$path" | in_mirror update-index --index-info
  in_mirror read-tree -i --prefix="$path/" "$commit^{tree}"
done
tree=$(in_mirror write-tree)
whole=$(in_mirror commit-tree -p "$sha" -m 'With submodules' "$tree")
in_mirror update-ref "$ref" "$whole"
echo "$tree"
