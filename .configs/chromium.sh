# `sh .configs/chromium.sh` leaves a Chromium on this machine and prints where it is. Browser tests need one, nothing
# else does; it comes from the system's own packages, which keep its libraries and its fixes with it.
set -eu

# CHROMIUM names one that is kept elsewhere.
find_chromium() {
  for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome-stable google-chrome \
    '/Applications/Chromium.app/Contents/MacOS/Chromium' \
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'; do
    [ -n "$name" ] && command -v "$name" && return
  done
  return 1
}

install_chromium() {
  if command -v apt-get; then
    apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends chromium
  elif command -v dnf; then dnf install -y chromium
  elif command -v apk; then apk add --no-cache chromium
  elif command -v pacman; then pacman -Sy --noconfirm chromium
  elif command -v zypper; then zypper --non-interactive install chromium
  else return 1
  fi
}

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

find_chromium && exit
[ "$(id -u)" -eq 0 ] || fail 'The browser tests need the package chromium. On Debian, as root: apt-get install chromium
Where it is already, say so with CHROMIUM=/path/to/chromium.'
echo 'Installing chromium, which the browser tests drive, from the packages of this system (once).' >&2
install_chromium >&2 || fail 'The package chromium could not be installed; see above.'
find_chromium || fail 'The package chromium was installed and brought no chromium.'
