# Removes whatever a registry has of an environment: FOLDER PREFIX ENVIRONMENT
cd -- "$HOME/$1/data/docker/registry/v2/repositories" 2>/dev/null || exit 0
rm -rf -- "$2$3-"*
