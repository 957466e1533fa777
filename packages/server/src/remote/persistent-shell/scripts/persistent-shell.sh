# Runs the commands that standard input names, one after the other, with a mark before and after each on both outputs. Its name is a word
# that only this session knows. A command is a line WORD INPUT_BYTES - TEXT with the text for this shell, or WORD INPUT_BYTES BYTES
# followed by BYTES of text; its input comes next. If INPUT_BYTES is `keep`, the text sets a variable that later texts use.
# In /proc/<pid>/stat the fifth value is the process group; the second one, the name of this shell, contains no spaces.
read -r pid name state parent group rest </proc/$$/stat
printf '%s %s\n' "$0" "$group"

mark() {
  printf '\000%s %s %s\n' "$word" "$1" "$2"
  printf '\000%s %s %s\n' "$word" "$1" "$2" >&2
}

# take BYTES: dd reads exactly as many bytes as requested and leaves the rest to the next reader.
take() {
  dd bs="$1" count=1 iflag=fullblock 2>/dev/null
}

while read -r word input_bytes bytes line; do
  [ "$bytes" = - ] || line=$(take "$bytes")
  # A truncated command must not run: a complete one ends with its word.
  case $line in *" #$word") ;; *) exit 1 ;; esac
  if [ "$input_bytes" = keep ]; then
    eval "$line"
    continue
  fi
  mark begins -
  if [ "$input_bytes" = 0 ]; then
    (eval "exec $line") </dev/null
  else
    # Discards input that the command has not read, so that the next line is the next command.
    take "$input_bytes" | {
      (eval "exec $line")
      code=$?
      cat >/dev/null
      exit "$code"
    }
  fi
  mark ends "$?"
done
