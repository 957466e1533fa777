# Ends a step and waits until it has ended: FOLDER. A step that has ended, or was never started, is left as it is.
umask 077
cd -- "$1" 2>/dev/null || exit 0
stop_step canceled
