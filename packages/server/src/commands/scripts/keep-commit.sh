# Fetches into a mirror, keeps a commit there, describes it and prints small files of it:
# MIRROR SHA CAME KEPT GIT DESCRIBE MOST FILES FETCH...
# If SHA is empty, it keeps the commit that FETCH brings to CAME/one. KEPT is the prefix of refs that keep commits. GIT, DESCRIBE and FILES
# are lists in one word each, without anything that needs quotes; FETCH is a command. The printed files have at most MOST bytes in all. The
# ref is written when all objects of the commit are there. Then the fetched refs and the oldest commits are removed.
set -eu
mirror=$1 sha=$2 came=$3 kept_refs=$4 git=$5 describe=$6 room=$7 files=$8
most_kept=50
shift 8
"$@"
# The mirror is broken.
trap '[ "$?" -eq 0 ] || exit 76' EXIT
in_mirror() { $git --git-dir="$mirror" "$@"; }
wanted=${sha:-$came/one}
if [ -n "$sha" ] && [ -z "$(in_mirror for-each-ref --count=1 --contains="$sha" -- "$came" 2>/dev/null)" ]; then
  wanted=
fi
kept=
if [ -n "$wanted" ]; then
  # A tag is resolved to its commit.
  sha=$(in_mirror rev-parse --verify "$wanted^{commit}")
  kept=$kept_refs/$sha
fi
in_mirror for-each-ref --format='%(refname)' --sort=-creatordate -- "$kept_refs" "${came%/*}" | {
  others=0 update="${kept:+update $kept $sha}"
  while read -r ref; do
    case $ref in
    "$kept")
      # It may have the submodules of the commit by now.
      update=
      continue
      ;;
    "$kept_refs"/*)
      others=$((others + 1))
      [ "$others" -ge "$most_kept" ] || continue
      ;;
    esac
    echo "delete $ref"
  done
  [ -z "$update" ] || echo "$update"
} | in_mirror update-ref --stdin
[ -n "$kept" ] || exit 0
in_mirror $describe "$sha" --
# Lists all existing files and an empty line, then prints the files that fit, in the same order.
listed=$(in_mirror ls-tree --long --full-tree "$kept" -- $files)
printf '%s\n\n' "$listed"
while read -r mode type object size path; do
  case $mode in 100*) ;; *) continue ;; esac
  [ "$size" -le "$room" ] || continue
  room=$((room - size))
  echo "$object"
done <<END | in_mirror cat-file --batch='%(objectsize)'
$listed
END
