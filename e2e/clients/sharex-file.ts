// The file for ShareX, which runs on Windows alone: cURL sends what its rules say.
import { setupParts } from '../../contract/client-setups/clients.ts'
import { parseCustomUploader, resolveSyntax } from '../../server/testing/sxcu.ts'
import { type ClientRun, confirmDeletion, outputOf } from './client-run.ts'

/** @param version of curl */
export const shareXFile = (version: string): ClientRun => ({
  client: `ShareX's rules, by cURL ${version}`,
  api: 'native, the file of /tools',
  album: 'Arguments',
  programs: ['curl'],
  async upload({ origin, key, photo, album }) {
    const file = JSON.parse(setupParts('sharex', { origin, siteName: 'Image Host', key })[0]?.text ?? '')
    const uploader = parseCustomUploader(JSON.stringify({ ...file, Arguments: { album: album.id } }))
    const { RequestMethod, RequestURL, Headers = {}, Arguments = {}, FileFormName, URL, DeletionURL } = uploader
    const response = await outputOf('curl', [
      ...['--silent', '--fail-with-body', '-X', RequestMethod, RequestURL],
      ...Object.entries(Headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      ...Object.entries(Arguments).flatMap(([name, value]) => ['-F', `${name}=${value}`]),
      ...['-F', `${FileFormName}=@${photo}`],
    ])
    return {
      link: resolveSyntax(URL, response),
      remove: () => confirmDeletion(resolveSyntax(DeletionURL, response)),
    }
  },
})
