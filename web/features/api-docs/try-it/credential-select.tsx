import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { useSession } from '../../../data/session.ts'
import { tryIt } from '../../../texts/docs-messages.ts'
import { KeyField } from './key-field.tsx'

/** Selects the credential of the request. */
export type Sender = 'session' | 'key' | 'anonymous'
const senders = ['session', 'key', 'anonymous'] as const

interface Props {
  sender: Sender
  onSender: (sender: Sender) => void
  credential: string
  onCredential: (credential: string) => void
}

export function SendAs({ sender, onSender, credential, onCredential }: Props) {
  const id = useId()
  const session = useSession()
  const labels = {
    session: tryIt.asSession(session.status === 'in' ? session.user.email : ''),
    key: tryIt.asKey,
    anonymous: tryIt.asNobody,
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
            value={sender}
            onChange={(event) => onSender(senders[event.target.selectedIndex] ?? 'session')}
          >
            {senders.map((one) => (
              <option key={one} value={one}>
                {labels[one]}
              </option>
            ))}
          </select>
          <ChevronDown className="size-4" aria-hidden />
        </span>
      </div>
      {sender === 'key' && <KeyField label={tryIt.key} credential={credential} onCredential={onCredential} />}
    </div>
  )
}
