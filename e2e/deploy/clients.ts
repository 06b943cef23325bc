// npm run test:clients: fills albums with other projects' clients, unchanged, on the built product, and prints a table. Installs the
// clients of npm into a temporary folder; needs a registry. Those of Debian run where they are installed:
// apt-get install --no-install-recommends ksnip flameshot xvfb xdotool xclip dbus
import { runClients } from '../clients/run-clients.ts'

export async function main(): Promise<boolean> {
  let failed = 0
  console.log('| Client | API | Link | Album by | Deleted |\n|---|---|---|---|---|')
  for await (const { client, api, outcome } of runClients()) {
    const cells =
      'failure' in outcome
        ? ['FAILED', '', '']
        : 'missing' in outcome
          ? [`not run: ${outcome.missing} is not installed`, '', '']
          : [outcome.link, outcome.album, outcome.deleted]
    console.log(`| ${[client, api, ...cells].join(' | ')} |`)
    if (!('failure' in outcome)) continue
    failed++
    console.error(outcome.failure)
  }
  console.log(
    failed === 0 ? '\nEvery client that ran got a working link, and its album has the image.' : `\n${failed} failed.`,
  )
  return failed === 0
}
