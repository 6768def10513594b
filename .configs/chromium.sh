# `sh .configs/chromium.sh` leaves a Chromium on this machine and prints where it is. Browser tests need one, nothing
# else does; it comes from the system's own packages, which keep its libraries and its fixes with it. The headless shell
# goes first: the same engine without the windows of a browser takes a third of the time to open a page.
set -eu

SHELL_PACKAGE=chromium-headless-shell

# CHROMIUM names one that is kept elsewhere.
find_shell() {
  for name in "${CHROMIUM:-}" "$SHELL_PACKAGE"; do
    [ -n "$name" ] && command -v "$name" && return
  done
  return 1
}

find_browser() {
  for name in chromium chromium-browser google-chrome-stable google-chrome \
    '/Applications/Chromium.app/Contents/MacOS/Chromium' \
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'; do
    command -v "$name" && return
  done
  return 1
}

by_apt() {
  DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$1"
}

# Where the system's own list of packages offers the shell beside a browser that is here already.
add_shell() {
  command -v apt-cache && apt-cache show "$SHELL_PACKAGE" >/dev/null && by_apt "$SHELL_PACKAGE"
}

install_chromium() {
  if command -v apt-get; then
    apt-get update -q && { by_apt "$SHELL_PACKAGE" || by_apt chromium; }
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

find_shell && exit
if [ "$(id -u)" -ne 0 ]; then
  find_browser && exit
  fail "The browser tests need the package $SHELL_PACKAGE or chromium. On Debian, as root: apt-get install $SHELL_PACKAGE
Where it is already, say so with CHROMIUM=/path/to/chromium."
fi
if find_browser >&2; then
  add_shell >&2 || true
else
  echo 'Installing Chromium, which the browser tests drive, from the packages of this system (once).' >&2
  install_chromium >&2 || fail 'The package chromium could not be installed; see above.'
fi
find_shell || find_browser || fail 'The package chromium was installed and brought no chromium.'
