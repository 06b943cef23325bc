// Scripts for clients that cannot upload by themselves. Origins and keys need no escaping: they have
// neither quotes nor spaces.
import { uploadPath } from '../derive/client.ts'
import type { Site } from './setup.ts'

/**
 * A shell script that takes a screenshot, uploads it and copies its link, on X11 and Wayland.
 * @param take a command that writes the screenshot to "$file", which stays empty when the user cancels
 */
export const screenshotScript = ({ origin, key }: Site, client: string, take: string) => `#!/bin/sh
# Takes a screenshot with ${client}, uploads it and copies its link.
# Needs curl, and wl-copy (Wayland) or xclip (X11).
set -u

file=$(mktemp --suffix=.png)
trap 'rm -f "$file"' EXIT
${take}
[ -s "$file" ] || exit 0

if link=$(curl --silent --show-error --fail-with-body \\
${key === undefined ? '' : `  --header 'Authorization: Bearer ${key}' \\\n`}\
  --form "image=@$file;filename=screenshot.png" \\
  '${origin}${uploadPath}?format=txt' 2>&1); then
  if [ -n "\${WAYLAND_DISPLAY:-}" ]; then printf %s "$link" | wl-copy
  else printf %s "$link" | xclip -selection clipboard
  fi
  title='Link copied'
else
  title='Upload failed'
fi
echo "$link"
command -v notify-send > /dev/null && notify-send "$title" "$link"
[ "$title" = 'Link copied' ]
`

/** A module for the method DIY of the VS Code extension Markdown Image. */
export const markdownImageScript = ({
  origin,
  key,
}: Site) => `// Uploads the images that the VS Code extension Markdown Image pastes.
const { readFile } = require('node:fs/promises')
const { basename } = require('node:path')

module.exports = async function (filePath) {
  const body = new FormData()
  body.set('image', new Blob([await readFile(filePath)]), basename(filePath))
  const response = await fetch('${origin}${uploadPath}', {
    method: 'POST',
${key === undefined ? '' : `    headers: { Authorization: 'Bearer ${key}' },\n`}\
    body,
  })
  const uploaded = await response.json()
  if (!response.ok) throw new Error(uploaded.error)
  return uploaded.url
}
`
