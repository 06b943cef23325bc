import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { useSession } from '../../../model/session.ts'
import { tryIt } from '../../../texts/docs-messages.ts'
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
  const id = useId()
  const session = useSession()
  const labels = {
    session: tryIt.asSession(session.status === 'in' ? session.user.email : ''),
    key: tryIt.asKey,
    anonymous: tryIt.asGuest,
  }
  return (
    <div className="docs-form-row">
      <div className="grid min-w-0 gap-1.5">
        <label htmlFor={id} className="font-medium">
          {tryIt.as}
        </label>
        <span className="select">
          <select
            id={id}
            value={credentialKind}
            onChange={(event) => onCredentialKind(credentialKinds[event.target.selectedIndex] ?? 'session')}
          >
            {credentialKinds.map((one) => (
              <option key={one} value={one}>
                {labels[one]}
              </option>
            ))}
          </select>
          <ChevronDown className="size-4" aria-hidden />
        </span>
      </div>
      {credentialKind === 'key' && <KeyField label={tryIt.key} credential={credential} onCredential={onCredential} />}
    </div>
  )
}
