import { useEffect, useRef, useState } from 'react'
import type { EndpointDoc } from '../../../../contract/derive/endpoint-doc.ts'
import { token } from '../../../model/token.ts'
import { tryRequest, type TriedResponse } from './try-request.ts'
import { adminNotify } from '../../../ui/toast/admin-toast.tsx'
import { tryIt } from '../../../texts/docs-messages.ts'
import { common } from '../../../texts/messages.ts'
import { applySessionEffects, endsSession } from './session-effects.ts'
import { maxShownChars, requestOf, type RequestDraft } from './request-draft.ts'
import { displayedBody, type DisplayedBody } from './response-body.ts'
import type { CredentialKind } from './credential-select.tsx'

export type TryState =
  | { state: 'sending' }
  | { state: 'failed'; problem: string }
  | { state: 'responded'; response: TriedResponse; body: DisplayedBody }

export function useTryRequest(endpoint: EndpointDoc) {
  const [trial, setTrial] = useState<TryState>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function send(draft: RequestDraft, credentialKind: CredentialKind, credential: string): Promise<void> {
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    setTrial({ state: 'sending' })
    const used = { session: token.get(), key: credential === '' ? null : credential, anonymous: null }[credentialKind]
    try {
      const response = await tryRequest(requestOf(endpoint, draft), used, own.signal)
      const body = await displayedBody(response.body, maxShownChars)
      if (own.signal.aborted) return
      setTrial({ state: 'responded', response, body })
      if (credentialKind !== 'session' || used === null) return
      const json = body.kind === 'json' ? body.value : undefined
      const hasEnded = applySessionEffects(endpoint, response.status, json, used)
      // The page is about to navigate to the login.
      if (hasEnded && endsSession(endpoint)) adminNotify.done(tryIt.loggedOut, tryIt.said(response.status, response.ms))
    } catch (error) {
      console.info('The request got no response', error)
      if (own.signal.aborted) return
      setTrial({ state: 'failed', problem: error instanceof TypeError ? common.noResponse : tryIt.failed })
    }
  }

  const cancel = () => {
    running.current?.abort()
    setTrial(undefined)
  }
  return { trial, send, cancel }
}
