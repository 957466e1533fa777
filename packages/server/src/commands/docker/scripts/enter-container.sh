# In a container: says which process this is, and becomes the command, which leads its process group: COMMAND
echo "$$"
exec sh -e -c "$1"
