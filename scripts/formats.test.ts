// A new format in contract/plain/formats.ts also needs its row in server/imaging/decoder/pixel-formats.ts and its images in
// fuzz/base-images.ts: without them neither compiles. The fuzz test uploads these images and fails without a working
// decoder. This test names the documents.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formats, formatsFor, listFormats, mimesFor, userOnlyFormats } from '../contract/plain/formats.ts'

const labelsFor = (uploader: 'guest' | 'user') =>
  formatsFor(uploader)
    .map((name) => formats[name].label)
    .join(', ')

const userOnlyLabels = userOnlyFormats.map((name) => formats[name].label).join(', ')

test.each([
  ['docs/reference.md', `| Types, by content | ${labelsFor('guest')}; of users ${labelsFor('user')} |`],
  ['docs/behaviour.md', `Guests cannot upload ${listFormats(userOnlyFormats, 'and')}.`],
  ['docs/behaviour.md', `${userOnlyLabels}, animations and small WebP are never converted.`],
  ['web/texts/dashboard-messages.ts', `${listFormats(userOnlyFormats, 'and')} stay as they are.`],
  ['docs/security.md', `| Upload | unless off; no ${userOnlyLabels} |`],
  ['docs/api.md', `Registered users: also ${listFormats(userOnlyFormats, 'and')},`],
])('%s names the accepted formats', (path, row) => {
  expect(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8').replaceAll('\n', ' ')).toContain(row)
})

test('the share target of the installed page accepts the formats of users', () => {
  const manifest = JSON.parse(readFileSync(new URL('../web/public/manifest.webmanifest', import.meta.url), 'utf8')) as {
    share_target: { params: { files: { accept: string[] }[] } }
  }
  const accepted = manifest.share_target.params.files.flatMap(({ accept }) => accept)
  expect(accepted.toSorted()).toEqual(mimesFor('user').toSorted())
})
