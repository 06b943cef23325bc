import { useState } from 'react'
import { errorText } from '../../data/api-error.ts'
import { notify } from '../../ui/toast/toast.ts'

/** What became of the last thing that was done in a panel: in a toast, and to stay, in the panel itself. */
export function useOutcome() {
  const [outcome, setOutcome] = useState('')

  /** Does it and says so. @returns why it could not be done */
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
