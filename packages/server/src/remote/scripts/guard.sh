# Ends the process groups that the platform has started when the platform ends, for whatever reason. Standard input is a pipe from the
# platform with a line "+ GROUP" for each group that begins and "- GROUP" for each one that has ended. The pipe closes when the platform is
# gone.
groups=' '
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) case $groups in *" $group "*) groups="${groups%% "$group" *} ${groups#* "$group" }" ;; esac ;;
  esac
done
for group in $groups; do kill -s TERM -- "-$group"; done
[ "$groups" = ' ' ] || sleep 2
for group in $groups; do kill -s KILL -- "-$group"; done
