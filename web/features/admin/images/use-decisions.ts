import { useState } from 'react'
import type { ModeratedImage } from '../../../../contract/endpoints/moderation.ts'
import { decide, type Decision } from './admin-images.ts'
import { decisions } from '../../../texts/admin/admin-images-messages.ts'
import { notify } from '../../../ui/toast/toast.ts'
import { useActionOutcome } from '../use-action-outcome.ts'

interface Asked {
  decision: 'remove' | 'block'
  images: readonly ModeratedImage[]
}

/**
 * Quarantining and restoring run at once, because each undoes the other. Removing and blocking are
 * `asked` first; `confirm` runs them.
 * @param onRemoved receives the images that were removed
 */
export function useDecisions(onRemoved: (images: readonly ModeratedImage[]) => void) {
  const { outcome, attempt } = useActionOutcome()
  const [asked, setAsked] = useState<Asked>()
  const [isBusy, setBusy] = useState(false)

  /** @returns the reason of a failure */
  async function run(decision: Decision, images: readonly ModeratedImage[], reason?: string) {
    setBusy(true)
    const failure = await attempt(async () => {
      const counts = await decide(decision, images, reason)
      return decisions[decision].done(counts.images, counts.copies)
    }, decisions[decision].failed)
    setBusy(false)
    return failure
  }

  async function start(decision: Decision, images: readonly ModeratedImage[]): Promise<void> {
    if (decision === 'remove' || decision === 'block') return setAsked({ decision, images })
    const failure = await run(decision, images)
    // Empty when the session has ended, which is already reported.
    if (failure !== undefined && failure !== '') notify.error(failure, 'admin')
  }

  async function confirm({ decision, images }: Asked, reason: string): Promise<string | undefined> {
    const failure = await run(decision, images, reason)
    if (failure === undefined) onRemoved(images)
    return failure
  }

  return { outcome, attempt, asked, isBusy, start, confirm, close: () => setAsked(undefined) }
}
