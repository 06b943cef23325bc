// What a layout must never do, measured on the page as it stands.
import type { Page } from '@playwright/test'

export const nextPaint = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))

/** Pixels by which the page can be scrolled sideways. */
export const sidewaysScroll = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/**
 * Pairs of things to read or press, none inside the other, that share more than a hair of the screen. A bar that is fixed to
 * the window, a box that scrolls by itself and an open menu lie over the page on purpose; so do the controls of a picture over the
 * link that it is.
 */
export const overlaps = (page: Page) =>
  page.evaluate(() => {
    // With a dialog open, what lies under it is not there to be read.
    const root = document.querySelector('dialog[open]') ?? document.body
    const shown = [...root.querySelectorAll<HTMLElement>('a, button, input, h1, h2, h3, p, img, label, pre')]
      .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      // The two pictures of a comparison lie on each other on purpose.
      .filter((element) => element.closest('.sr-only, .skip-link, .comparison, [aria-hidden=true]') === null)
      .map((element) => ({
        element,
        box: element.getBoundingClientRect(),
        bar: element.closest(
          '.bottom-bar, .sheet-bar, .db-sidebar, .tray-rows, .docs-chips, .docs-scroll, .tray, .selection-bar, .undo-bar, :popover-open',
        ),
      }))
      .filter(({ box }) => box.width > 1 && box.height > 1 && box.bottom + scrollY > 0)
    const name = (element: HTMLElement) =>
      `<${element.tagName.toLowerCase()}> ${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}`
    const isOnItsPicture = (control: HTMLElement, link: HTMLElement) => {
      const slot = link.closest('.slot-link')?.parentElement ?? null
      return slot !== null && control.closest('.slot') === slot && control.closest('.slot-link') === null
    }
    const hairPx = 2
    return shown.flatMap((a, at) =>
      shown
        .slice(at + 1)
        .filter((b) => a.bar === b.bar)
        // What has been scrolled out of its box is not under what stands below the box.
        .filter((b) => a.element.closest('.doc-body') === b.element.closest('.doc-body'))
        .filter((b) => !a.element.contains(b.element) && !b.element.contains(a.element))
        .filter((b) => !isOnItsPicture(a.element, b.element) && !isOnItsPicture(b.element, a.element))
        // An input carries its own button inside, as the one that shows a password.
        .filter((b) => !(a.element.tagName === 'INPUT' && a.element.parentElement === b.element.parentElement))
        .filter(
          (b) =>
            Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) > hairPx &&
            Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top) > hairPx,
        )
        .map((b) => `${name(a.element)} and ${name(b.element)}`),
    )
  })
