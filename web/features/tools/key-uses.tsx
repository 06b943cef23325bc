import { useState } from 'react'
import type { NewApiKey } from '../../../contract/endpoints/api-keys.ts'
import { imagesPath } from '../../../contract/derive/client.ts'
import { type ClientId, clientIds, clients } from '../../../contract/client-setups/clients.ts'
import { newKey } from '../../texts/api-keys-messages.ts'
import { clientTexts, tools } from '../../texts/tools-messages.ts'
import { Select } from '../../ui/forms/select.tsx'
import { ClientSetup, SetupSection } from './client-setup.tsx'
import { groups, usesKey } from './find-clients.ts'
import { SetupPart } from './setup-part.tsx'
import { UploadWatch } from './upload-watch.tsx'

interface Props {
  created: NewApiKey
  siteName: string
  /** The key was copied or downloaded. */
  onTaken: () => void
}

/** The new key as it is used: in a client, a command, a line of settings. */
export function KeyUses({ created: { id, key, scopes }, siteName, onTaken }: Props) {
  const [use, setUse] = useState<ClientId | 'env'>('curl')
  const canUpload = scopes.includes('upload')
  const site = { origin: location.origin, siteName, key }
  if (!canUpload) return <KeyWithoutUpload origin={site.origin} apiKey={key} onTaken={onTaken} />

  const client = use === 'env' ? undefined : use
  return (
    <div className="grid gap-6">
      <div className="grid gap-2">
        <Select
          label={newKey.uses}
          hasLabel
          value={use}
          options={[
            ['curl', clients.curl.name],
            ['env', newKey.env],
          ]}
          groups={groups.map((group) => [
            tools.groups[group],
            clientIds
              .filter((one) => clients[one].group === group && usesKey(one) && one !== 'curl')
              .map((one) => [one, clients[one].name]),
          ])}
          onChange={setUse}
        />
        <p className="text-dense text-text-2">{client === undefined ? newKey.envText : clientTexts[client].text}</p>
      </div>
      {client === undefined ? (
        <EnvLine apiKey={key} onTaken={onTaken} />
      ) : (
        <>
          <ClientSetup client={client} site={site} isReady onTaken={onTaken} />
          <SetupSection title={tools.test.title}>
            <UploadWatch name={clients[client].name} keyId={id} />
          </SetupSection>
        </>
      )}
    </div>
  )
}

interface KeyProps {
  apiKey: string
  onTaken: () => void
}

/** A key that may not upload is for programs of one's own. */
function KeyWithoutUpload({ origin, apiKey, onTaken }: KeyProps & { origin: string }) {
  const text = [`curl ${origin}${imagesPath}`, `-H "Authorization: Bearer ${apiKey}"`].join(' \\\n  ')
  return (
    <div className="grid gap-4">
      <p className="text-dense text-text-2">{newKey.listText}</p>
      <SetupPart part={{ label: clients.curl.name, text }} isReady onTaken={onTaken} />
      <EnvLine apiKey={apiKey} onTaken={onTaken} />
    </div>
  )
}

const EnvLine = ({ apiKey, onTaken }: KeyProps) => (
  <SetupPart part={{ label: newKey.env, text: `IMAGE_HOST_KEY=${apiKey}` }} isReady onTaken={onTaken} />
)
