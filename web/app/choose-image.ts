// Opens the file dialog from any page.
import { dropZone } from '../texts/messages.ts'

const waitMs = 3000
const lookEveryMs = 50

/**
 * Clicks the page's own 'Choose image' button. On a page without one, `goThere` navigates to a page that has it; the button
 * is then focused, and clicked if the browser still counts this as a user activation.
 */
export async function chooseImage(goThere: () => void): Promise<void> {
  const button = findButton()
  if (button !== undefined) return press(button)
  goThere()
  const late = await appeared()
  if (late === undefined) return
  late.focus()
  if (navigator.userActivation?.isActive) late.click()
}

function press(button: HTMLButtonElement): void {
  button.scrollIntoView({ block: 'nearest' })
  button.focus()
  button.click()
}

const findButton = () =>
  [...document.querySelectorAll<HTMLButtonElement>('main button:enabled')].find(
    ({ textContent }) => textContent.trim() === dropZone.choose,
  )

async function appeared(): Promise<HTMLButtonElement | undefined> {
  const deadline = Date.now() + waitMs
  while (Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    const button = findButton()
    if (button !== undefined) return button
  }
  return undefined
}
