// Sends a public form with the time since when it is shown, by which the server recognizes bots.
import { limits } from '../../contract/plain/limits.ts'

const { minOpenMs, maxOpenMs } = limits.publicForm

/**
 * @param shownAt in milliseconds of this browser's clock
 * @param isUntimely whether the server refused the form because of its time
 */
export async function sendTimed(
  shownAt: number,
  send: (time: string) => Promise<unknown>,
  isUntimely: (error: unknown) => boolean,
): Promise<void> {
  await untilOpenFor(minOpenMs, shownAt)
  try {
    await send(String(shownAt))
  } catch (error) {
    if (!isUntimely(error) || Date.now() - shownAt > maxOpenMs) throw error
    // By this clock the form was not sent too early, so the server's clock may differ. A date in
    // words is not checked.
    await send(new Date(shownAt).toString())
  }
}

/** With a password manager a user can be faster than the minimum that the server accepts. */
async function untilOpenFor(milliseconds: number, shownAt: number): Promise<void> {
  const left = shownAt + milliseconds - Date.now()
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left))
}
