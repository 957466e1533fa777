# Prints the mode and the size of a path of a commit, and a file that is not too large: MOST COMMIT PATH GIT...
# git would load all of a file that is too large.
most=$1 commit=$2 path=$3
shift 3
listed=$("$@" --literal-pathspecs ls-tree --long --full-tree "$commit" -- "$path") || exit
[ -n "$listed" ] || exit 0
read -r mode type object size rest <<END
$listed
END
echo "$mode $size"
case $mode in 100*) [ "$size" -gt "$most" ] || exec "$@" cat-file blob "$object" ;; esac
