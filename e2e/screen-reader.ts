// What a screen reader says: the changes of live regions, and names, roles and states of Chromium's accessibility tree.
import type { Page } from '@playwright/test'

/**
 * Records from the next page on what is announced. A status is announced when its text changes, not when the element is inserted
 * with its text: screen readers watch regions that exist. An alert is announced either way.
 */
export async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const heard: string[] = []
    Object.assign(window, { heard })
    const live = '[role=status], [role=alert], [role=log], [aria-live=polite], [aria-live=assertive]'
    const textOf = (element: Element): string => {
      if (
        element.matches('[aria-hidden=true], [aria-live=off], [hidden]') ||
        !element.checkVisibility({ visibilityProperty: true })
      )
        return ''
      // A live region within one speaks for itself.
      const parts = [...element.childNodes]
        .filter((node) => !(node instanceof Element && node.matches(live)))
        .map((node) => (node instanceof Element ? textOf(node) : (node.nodeValue ?? '')))
      return parts.join(' ').replace(/\s+/g, ' ').trim()
    }
    const known = new Map<Element, string>()
    const look = () => {
      for (const region of document.querySelectorAll(live)) {
        const text = textOf(region)
        const before = known.get(region)
        known.set(region, text)
        const isHeard =
          before === undefined ? region.role === 'alert' || region.ariaLive === 'assertive' : text !== before
        // Only what is new is read: rows that were there already are not repeated.
        if (isHeard && text !== '')
          heard.push(before && text.startsWith(before) ? text.slice(before.length).trim() : text)
      }
    }
    document.addEventListener('DOMContentLoaded', () => {
      look()
      new MutationObserver(look).observe(document, {
        childList: true,
        subtree: true,
        characterData: true,
        attributes: true,
        attributeFilter: ['hidden', 'aria-hidden', 'role', 'aria-live', 'class', 'open', 'style'],
      })
    })
  })
  return () => page.evaluate(() => (window as unknown as { heard: string[] }).heard.splice(0))
}

export interface Spoken {
  role: string
  name: string
  description: string
  [property: string]: unknown
}

/** The focused element as Chromium exposes it, with its states. */
export async function spokenFocus(page: Page): Promise<Spoken | undefined> {
  return (await accessibilityTree(page)).findLast((node) => node.focused === true && node.role !== 'RootWebArea')
}

/** All exposed elements, in the order of the page. */
export async function accessibilityTree(page: Page): Promise<Spoken[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, description, properties = [] }) => ({
      ...Object.fromEntries(properties.map((property) => [property.name, property.value.value])),
      role: String(role?.value ?? ''),
      name: String(name?.value ?? ''),
      description: String(description?.value ?? ''),
    }))
}
