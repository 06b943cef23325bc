import { useState } from 'react'
import { errorText } from '../../model/api-error.ts'
import { notify } from '../../ui/toast/toast.ts'

/** The result of the last action in a panel, for a toast and, until the next action, the panel itself. */
export function useActionOutcome() {
  const [outcome, setOutcome] = useState('')

  /** Runs an action and shows its result. @returns why it failed */
  async function attempt(run: () => Promise<string>, failed: string): Promise<string | undefined> {
    try {
      const done = await run()
      setOutcome(done)
      notify.success(done, 'admin')
      return undefined
    } catch (error) {
      console.info(failed, error)
      return errorText(error, failed)
    }
  }
  return { outcome, attempt }
}
