import { useState } from 'react'
import { attempt } from '../../model/attempt.ts'
import { notify } from '../../ui/toast/toast.ts'

/** The result of the last action in a panel, for a toast and, until the next action, the panel itself. */
export function useActionOutcome() {
  const [outcome, setOutcome] = useState('')

  function showDone(text: string): void {
    setOutcome(text)
    notify.success(text, 'admin')
  }
  return {
    outcome,
    showDone,
    /** Runs an action and shows its result. @returns why it failed */
    attempt: (run: () => Promise<string>, failed: string) => attempt(async () => showDone(await run()), failed),
  }
}
