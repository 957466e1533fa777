# Ends a process group, by force after five seconds: GROUP
kill -s TERM -- "-$1" 2>/dev/null || exit 0
for turn in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
  kill -s 0 -- "-$1" 2>/dev/null || exit 0
  sleep 0.2
done
kill -s KILL -- "-$1" 2>/dev/null
exit 0
