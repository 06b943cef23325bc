import { errorText } from '../../../model/api-error.ts'
import { security } from '../../../texts/security-messages.ts'

/** Runs an action. @returns why it failed */
export async function attempt(action: () => Promise<void>): Promise<string | undefined> {
  try {
    await action()
    return undefined
  } catch (error) {
    console.info(security.failed, error)
    return errorText(error, security.failed)
  }
}
