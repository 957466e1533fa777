# Ends a step and waits until it has ended: FOLDER. Does nothing if the step has ended or was never started.
umask 077
cd -- "$1" 2>/dev/null || exit 0
stop_step canceled
