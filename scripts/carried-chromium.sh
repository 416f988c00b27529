#!/usr/bin/env bash
# Puts the Chromium that an npm package carries into a folder, and prints the path of its program: carried-chromium.sh FOLDER
# Libraries that this machine lacks are taken from the package, too.
set -euo pipefail
folder=$(cd "$1" && pwd)

cd "$folder"
[ -f package.json ] || echo '{ "private": true }' >package.json
npm install --ignore-scripts --no-audit --no-fund @sparticuz/chromium@153.0.0 >&2
# The package unpacks its libraries only where it believes to be in a cloud function.
TMPDIR=$folder AWS_EXECUTION_ENV=AWS_Lambda_nodejs22.x node --input-type=module --eval '
  import { createRequire } from "node:module";
  import { pathToFileURL } from "node:url";
  const main = createRequire(`${process.cwd()}/`).resolve("@sparticuz/chromium");
  await (await import(pathToFileURL(main))).default.executablePath();
' >&2

program=$folder/chromium
if ldd "$program" | grep -q 'not found'; then
  program=$folder/chromium-with-libraries
  printf '#!/bin/sh\nLD_LIBRARY_PATH="%s" exec "%s" "$@"\n' "$folder/al2023/lib" "$folder/chromium" >"$program"
  chmod 700 "$program"
fi
echo "$program"
