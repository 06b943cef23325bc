import { useState } from 'react'

/** What became of the last attempt; undefined before the first, and while one runs. */
export type ActionOutcome = { kind: 'done' | 'failed'; text: string } | undefined

/**
 * For a button that sends something: it is busy meanwhile, and what became of it is shown nearby.
 * @param onFailed shows a failure elsewhere, for example as a toast, and logs it. Default: it is only logged
 */
export function useAction(onFailed: (text: string, error: unknown) => void = console.info) {
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<ActionOutcome>()

  /**
   * @param action returns the text of its success, if one is shown
   * @param explain returns the text of a failure
   */
  async function run(action: () => Promise<string | void>, explain: (error: unknown) => string): Promise<void> {
    setOutcome(undefined)
    setBusy(true)
    try {
      const text = await action()
      if (text !== undefined) setOutcome({ kind: 'done', text })
    } catch (error) {
      const text = explain(error)
      setOutcome({ kind: 'failed', text })
      onFailed(text, error)
    }
    setBusy(false)
  }
  return { isBusy, outcome, run }
}
