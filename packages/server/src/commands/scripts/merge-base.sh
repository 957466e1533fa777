# Fetches into the history of a repository and prints the merge base of a commit and a branch: HISTORY SHA BRANCH GIT FETCH...
# GIT is the start of a git command as one word that needs no quotes; FETCH is a command.
set -eu
history=$1 sha=$2 branch=$3 git=$4
shift 4
[ -d "$history/objects/pack" ] || git init --quiet --bare --template= --initial-branch=none -- "$history"
"$@"
# git would fetch a missing commit from the host, so no protocol is allowed: a missing commit has no merge base.
export GIT_ALLOW_PROTOCOL=none
$git --git-dir="$history" merge-base "refs/heads/$branch" "$sha" 2>/dev/null || true
