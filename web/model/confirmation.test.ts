import { expect, test } from 'vitest'
import { confirmationRequest, requestConfirmation } from './confirmation.ts'
import { token } from './token.ts'

test('requests that need a confirmation at the same time share one dialog', async () => {
  const both = Promise.all([requestConfirmation(), requestConfirmation()])
  confirmationRequest.get()?.settle(true)
  expect(await both).toEqual([true, true])
  expect(confirmationRequest.get()).toBeNull()
})

test('a later request asks again, and the end of the session refuses it', async () => {
  const later = requestConfirmation()
  token.set('a token')
  expect(confirmationRequest.get()).not.toBeNull()
  token.set(null)
  expect(await later).toBe(false)
  expect(confirmationRequest.get()).toBeNull()
})
