import { errorText } from '../format/error-text.ts'

/**
 * Runs an action. The console has the error of a failure.
 * @param failed the reason of a failure for which the server gives no text
 * @param explain the reason of others
 * @returns why it failed
 */
export async function attempt(
  action: () => Promise<void>,
  failed: string,
  explain: (error: unknown, failed: string) => string = errorText,
): Promise<string | undefined> {
  try {
    await action()
    return undefined
  } catch (error) {
    console.info(failed, error)
    return explain(error, failed)
  }
}
