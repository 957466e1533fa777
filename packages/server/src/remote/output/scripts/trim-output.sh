# trim_output DAYS BYTES FOLDER...: removes kept output that is too old, and the oldest output of a folder that is too large.
trim_output() {
  oldest=$(($(date +%s) - $1 * 86400)) most=$2
  shift 2
  for folder do
    [ -d "$folder" ] && [ ! -L "$folder" ] || continue
    find "$folder" -maxdepth 1 -type f \( -name '*.gz' -o -name '*.log' -o -name '.*.following' \) -printf '%s %f\n' |
      awk '
        $2 ~ /^[0-9]+-[0-9]+\.[0-9]+\.[A-Za-z0-9]+\.[A-Za-z0-9._-]+\.gz$/ && NF == 2 { split($2, part, /[-.]/); print part[2], $1, $2; next }
        # Files that are still written to count, and stay.
        { print "99999999999", $1, "-" }' |
      sort -k 1,1rn |
      oldest=$oldest most=$most awk '
        { total += $2 }
        $3 != "-" && ($1 < ENVIRON["oldest"] + 0 || total > ENVIRON["most"] + 0) { print $3 }' |
      while read -r name; do rm -f -- "$folder/$name"; done
  done
}
