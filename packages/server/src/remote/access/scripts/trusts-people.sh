# FOLDER AUTHORITY PRINCIPAL: exits with 0 if the set-up of this machine lets in the people whom that authority certifies.
cd -- "$HOME/$1/access" 2>/dev/null || exit 1
grep -qxF -- "$2" trusted && grep -qxF -- "$3" trusted && [ -f revoked ] && [ -w . ]
