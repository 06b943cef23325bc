// Leads to a part of a page by the text that is written there: a heading, a button or the name of a row.

/** Parts that wait for data of the server. */
const withinMs = 10_000
const lightMs = 2000

let stop = () => {}

/** Scrolls to the text, and focuses it, as soon as the page of this title shows it. */
export function goToPlace(title: string, text: string): void {
  stop()
  const look = () => {
    // The previous page is shown until the script of the next one is there.
    const found = document.querySelector('main h1')?.textContent === title ? placeOf(text) : undefined
    if (found === undefined) return
    stop()
    // After the focus that every new page takes.
    requestAnimationFrame(() => requestAnimationFrame(() => show(found)))
  }
  const observer = new MutationObserver(look)
  const timer = setTimeout(() => stop(), withinMs)
  stop = () => {
    observer.disconnect()
    clearTimeout(timer)
  }
  observer.observe(document.body, { childList: true, subtree: true })
  look()
}

function placeOf(text: string): HTMLElement | undefined {
  const written = [...document.querySelectorAll<HTMLElement>('main :is(h2, h3, p, span, button, dt, label)')]
  const found = written.find((element) => element.textContent?.trim() === text && element.checkVisibility())
  return found?.closest<HTMLElement>('button') ?? found
}

function show(place: HTMLElement): void {
  if (!place.matches('button')) place.tabIndex = -1
  place.focus({ preventScroll: true })
  place.scrollIntoView({ block: 'center', behavior: 'instant' })
  // Headings show no focus.
  const shade = (color: string) => ({
    backgroundColor: color,
    boxShadow: `0 0 0 0.375rem ${color}`,
    borderRadius: '1px',
  })
  const lit = shade('var(--color-accent-soft)')
  place.animate([lit, { ...lit, offset: 0.7 }, shade('transparent')], lightMs)
}
