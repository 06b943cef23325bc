import { useSession } from '../../../model/session.ts'
import { tryIt } from '../../../texts/docs-messages.ts'
import { Select } from '../../../ui/forms/select.tsx'
import { KeyField } from './key-field.tsx'

/** Selects the credential of the request. */
export type CredentialKind = 'session' | 'key' | 'anonymous'
const credentialKinds = ['session', 'key', 'anonymous'] as const

interface Props {
  credentialKind: CredentialKind
  onCredentialKind: (credentialKind: CredentialKind) => void
  credential: string
  onCredential: (credential: string) => void
}

export function CredentialSelect({ credentialKind, onCredentialKind, credential, onCredential }: Props) {
  const session = useSession()
  const labels = {
    session: tryIt.asSession(session.status === 'in' ? session.user.email : ''),
    key: tryIt.asKey,
    anonymous: tryIt.asGuest,
  }
  return (
    <div className="docs-form-row">
      <Select
        label={tryIt.as}
        hasLabel
        value={credentialKind}
        options={credentialKinds.map((one) => [one, labels[one]] as const)}
        onChange={onCredentialKind}
      />
      {credentialKind === 'key' && <KeyField label={tryIt.key} credential={credential} onCredential={onCredential} />}
    </div>
  )
}
