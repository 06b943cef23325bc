import { useEffect, useRef, useState } from 'react'
import type { EndpointDoc } from '../../../../contract/endpoint-doc.ts'
import { token } from '../../../data/token.ts'
import { tryRequest, type Answer } from '../../../data/try-request.ts'
import { adminNotify } from '../../../ui/toast/admin-toast.tsx'
import { tryIt } from '../../../texts/docs-messages.ts'
import { applyConsequences, endsSession } from './session-effects.ts'
import { maxShownChars, trialOf, type Draft } from './request-draft.ts'
import { displayedBody, type DisplayedBody } from './response-body.ts'
import type { Sender } from './credential-select.tsx'

export type Trial =
  | { state: 'sending' }
  | { state: 'failed'; problem: string }
  | { state: 'responded'; answer: Answer; body: DisplayedBody }

export function useTrial(endpoint: EndpointDoc) {
  const [trial, setTrial] = useState<Trial>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function send(draft: Draft, sender: Sender, credential: string): Promise<void> {
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    setTrial({ state: 'sending' })
    const used = { session: token.get(), key: credential === '' ? null : credential, anonymous: null }[sender]
    try {
      const answer = await tryRequest(trialOf(endpoint, draft), used, own.signal)
      const body = await displayedBody(answer.body, maxShownChars)
      if (own.signal.aborted) return
      setTrial({ state: 'responded', answer, body })
      if (sender !== 'session' || used === null) return
      const reply = body.kind === 'json' ? body.value : undefined
      const hasEnded = applyConsequences(endpoint, answer.status, reply, used)
      // The page is about to navigate to the login.
      if (hasEnded && endsSession(endpoint)) adminNotify.done(tryIt.loggedOut, tryIt.said(answer.status, answer.ms))
    } catch (error) {
      console.info('The request got no response', error)
      if (own.signal.aborted) return
      setTrial({ state: 'failed', problem: tryIt.failed(error instanceof Error ? error.message : String(error)) })
    }
  }

  const cancel = () => {
    running.current?.abort()
    setTrial(undefined)
  }
  return { trial, send, cancel }
}
