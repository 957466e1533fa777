# In a container: waits until the container is stopped. Needs no program but the shell. Nothing is ever written to its standard input.
trap '' TERM
read -r _
