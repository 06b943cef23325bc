// Asks the user to confirm that it is them, which some requests need (docs/decisions/0051).
import { createStore, useStore } from './store.ts'
import { token } from './token.ts'

export interface ConfirmationRequest {
  settle: (isConfirmed: boolean) => void
}

/** The confirmation that the dialog asks for; null: none. */
export const confirmationRequest = createStore<ConfirmationRequest | null>(null)
export const useConfirmationRequest = () => useStore(confirmationRequest)

let answer: Promise<boolean> | null = null

/** Opens the dialog; concurrent requests share it. @returns whether the user has confirmed the session */
export function requestConfirmation(): Promise<boolean> {
  answer ??= new Promise((resolve) => {
    const settle = (isConfirmed: boolean) => {
      confirmationRequest.set(null)
      answer = null
      resolve(isConfirmed)
    }
    confirmationRequest.set({ settle })
  })
  return answer
}

// The dialog goes with the session.
token.subscribe(() => {
  if (token.get() === null) confirmationRequest.get()?.settle(false)
})
