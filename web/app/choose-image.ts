// From anywhere to the dialog in which a file is chosen.
import { dropZone } from '../texts/messages.ts'

const waitMs = 3000
const lookEveryMs = 50

/**
 * Presses the page's own 'Choose image' button. Where there is none, `goThere` goes to a page that has one: the button then
 * has the focus, and is pressed too if the browser still counts that as the visitor's own doing.
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
