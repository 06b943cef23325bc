// Measures layout faults on the current page: sideways scrolling and overlapping elements.
import type { Page } from '@playwright/test'

export const nextPaint = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))

/** Returns by how many pixels the page, or an open dialog, is wider than its box. */
export const sidewaysScroll = (page: Page) =>
  page.evaluate(() =>
    Math.max(
      ...[document.documentElement, ...document.querySelectorAll('dialog[open]')].map(
        ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
      ),
    ),
  )

/**
 * Returns pairs of readable or clickable elements that overlap by more than 2 px, neither inside the
 * other. Excluded are overlaps by design: bars fixed to the window, boxes that scroll, open menus,
 * and the controls of an image over its link.
 */
export const overlaps = (page: Page) =>
  page.evaluate(() => {
    // An open dialog makes everything under it inert, also another one.
    const root = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body
    const shown = [...root.querySelectorAll<HTMLElement>('a, button, input, h1, h2, h3, p, img, label, pre')]
      // Rows out of view that the browser skips have no boxes of their own yet.
      .filter((element) =>
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }),
      )
      // The two images of a comparison overlap by design.
      .filter((element) => element.closest('.sr-only, .skip-link, .comparison, [aria-hidden=true]') === null)
      .map((element) => ({
        element,
        box: element.getBoundingClientRect(),
        bar: element.closest(
          '.bottom-bar, .sheet-bar, .db-sidebar, .tray-rows, .docs-chips, .docs-scroll, .tray, .selection-bar, .undo-bar, :popover-open',
        ),
        // Content scrolled out of its box is not under what stands below the box.
        scrollBox: element.closest('.doc-body, .lightbox-details, .scroll-area[role=tabpanel]'),
      }))
      .filter(({ box }) => box.width > 1 && box.height > 1 && box.bottom + scrollY > 0)
    const name = (element: HTMLElement) =>
      `<${element.tagName.toLowerCase()}> ${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}`
    const isOnItsImage = (control: HTMLElement, link: HTMLElement) => {
      const slot = link.closest('.slot-link, .moderated > button')?.parentElement ?? null
      return slot !== null && control.closest('.slot, .moderated') === slot && control.closest('.slot-link') === null
    }
    const tolerancePx = 2
    return shown.flatMap((a, at) =>
      shown
        .slice(at + 1)
        // The arithmetic comes first: it excludes nearly all pairs, and looking up the tree for each is slow.
        .filter(
          (b) =>
            Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) > tolerancePx &&
            Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top) > tolerancePx,
        )
        .filter((b) => a.bar === b.bar && a.scrollBox === b.scrollBox)
        .filter((b) => !a.element.contains(b.element) && !b.element.contains(a.element))
        .filter((b) => !isOnItsImage(a.element, b.element) && !isOnItsImage(b.element, a.element))
        // The image of a deleted one is the label of its check box.
        .filter((b) => a.element.closest('.trash-picture') === null || b.element.closest('.trash-picture') === null)
        // An input contains its own button, for example the one that shows a password.
        .filter((b) => !(a.element.tagName === 'INPUT' && a.element.parentElement === b.element.parentElement))
        .map((b) => `${name(a.element)} and ${name(b.element)}`),
    )
  })
