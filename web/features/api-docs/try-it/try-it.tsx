// Sends the real request and shows the response.
import { LoaderCircle, Send } from 'lucide-react'
import { useId, useRef, useState, type SubmitEvent } from 'react'
import type { EndpointDoc } from '../../../../contract/derive/endpoint-doc.ts'
import { useOnline } from '../../../model/online.ts'
import { useIsAdmin } from '../../../model/session.ts'
import { tryIt } from '../../../texts/docs-messages.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { endsSession, isDestructive } from './session-effects.ts'
import { problemsOf, type RequestDraft } from './request-draft.ts'
import { SampleCall } from '../code/sample-call.tsx'
import { CredentialSelect, type CredentialKind } from './credential-select.tsx'
import { TryFields } from './try-fields.tsx'
import { TryResult } from './try-result.tsx'
import { useTryRequest } from './use-try-request.ts'

interface Props {
  endpoint: EndpointDoc
  /** While hidden, the typed values and the response are preserved. */
  isShown: boolean
  draft: RequestDraft
  onDraft: (draft: RequestDraft) => void
  credential: string
  onCredential: (credential: string) => void
}

export function TryIt({ endpoint, isShown, draft, onDraft, credential, onCredential }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const offlineId = useId()
  const [credentialKind, setSender] = useState<CredentialKind>('session')
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map())
  const [isAsking, setAsking] = useState(false)
  const { trial, send, cancel } = useTryRequest(endpoint)
  const isOnline = useOnline()
  const isAdmin = useIsAdmin()
  const isSending = trial?.state === 'sending'
  const sendNow = () => void send(draft, credentialKind, credential)

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isSending || !isOnline) return
    const found = problemsOf(endpoint, draft)
    setProblems(found)
    const [first] = found.keys()
    if (first !== undefined) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
    else if (isDestructive(endpoint)) setAsking(true)
    else sendNow()
  }

  return (
    <div hidden={!isShown} className="docs-try">
      <form ref={form} className="grid gap-5" noValidate onSubmit={submit}>
        <p className="text-text-2">{tryIt.intro}</p>
        {endpoint.access === 'admin' && !isAdmin && <p className="docs-notice">{tryIt.adminOnly}</p>}
        <CredentialSelect
          credentialKind={credentialKind}
          onCredentialKind={setSender}
          credential={credential}
          onCredential={onCredential}
        />
        <TryFields endpoint={endpoint} draft={draft} onDraft={onDraft} problems={problems} />
        <div className="flex flex-wrap items-center gap-3">
          {/* Never disabled during the request: a disabled button would lose the focus. */}
          <button
            type="submit"
            className="btn btn-primary"
            disabled={!isOnline}
            aria-disabled={isSending}
            aria-describedby={isOnline ? undefined : offlineId}
          >
            {isSending ? <LoaderCircle className="spin size-4" aria-hidden /> : <Send className="size-4" aria-hidden />}
            {isSending ? tryIt.sending : tryIt.send}
          </button>
          {isSending && (
            <button type="button" className="btn btn-quiet" onClick={cancel}>
              {tryIt.cancel}
            </button>
          )}
          {!isOnline && (
            <p id={offlineId} className="text-dense text-text-2">
              {tryIt.offline}
            </p>
          )}
        </div>
      </form>
      <TryResult endpoint={endpoint} trial={trial} />
      {isShown && <SampleCall endpoint={endpoint} draft={draft} credential={credential} />}
      {isAsking && (
        <ConfirmDialog
          title={tryIt.confirmTitle}
          confirm={tryIt.confirm}
          isDanger
          onConfirm={async () => {
            sendNow()
            return undefined
          }}
          onClose={() => setAsking(false)}
        >
          <p>
            {endsSession(endpoint) ? tryIt.confirmLogout : tryIt.confirmText(`${endpoint.method} ${endpoint.path}`)}
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
}
