// One tooltip for the whole page, at the element with `data-tooltip` that has the pointer or the focus. A component per button
// would be rendered with every tile and toolbar, for what is rarely seen.

const delayMs = 700
/** For so long after a tooltip, the next one shows without delay. */
const skipDelayMs = 300
/** Within it the pointer may cross over to the tooltip, which then stays. */
const leaveMs = 100
const [gapPx, marginPx] = [6, 8]

/** @returns ends it */
export function followTooltips(): () => void {
  let opener: HTMLElement | undefined
  let shown: HTMLElement | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let hiddenAtMs = -Infinity

  /** Until the pointer or the focus comes back. */
  function hide(): void {
    clearTimeout(timer)
    if (shown === undefined) return
    shown.remove()
    shown = undefined
    hiddenAtMs = performance.now()
  }
  function leave(): void {
    hide()
    opener = undefined
  }
  function enter(next: HTMLElement, afterMs: number): void {
    leave()
    opener = next
    timer = setTimeout(() => next.isConnected && (shown = show(next)), afterMs)
  }

  const onPointerOver = ({ target, pointerType }: PointerEvent) => {
    if (pointerType === 'touch') return
    const next = openerOf(target)
    const isInside = shown?.contains(target as Element) === true
    if (isInside || (next !== undefined && next === opener)) {
      if (shown !== undefined) clearTimeout(timer)
    } else if (next !== undefined) enter(next, performance.now() - hiddenAtMs < skipDelayMs || shown ? 0 : delayMs)
    else if (shown === undefined) leave()
    else if (opener?.matches(':focus-visible') !== true) timer = setTimeout(leave, leaveMs)
  }
  const onFocus = ({ target }: FocusEvent) => {
    const next = (target as Element).matches(':focus-visible') ? openerOf(target) : undefined
    if (next !== undefined) enter(next, 0)
    // A pressed button keeps its own hidden until the pointer comes back.
    else if (opener?.contains(target as Element) !== true) leave()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || shown === undefined) return
    // The tooltip alone: the dialog or the selection ends with the next one.
    event.preventDefault()
    hide()
  }
  const onScroll = ({ target }: Event) => opener && (target as Node).contains(opener) && hide()

  const ending = new AbortController()
  const options = { capture: true, signal: ending.signal }
  document.addEventListener('pointerover', onPointerOver, options)
  document.addEventListener('pointerdown', hide, options)
  document.addEventListener('click', hide, options)
  document.addEventListener('focusin', onFocus, options)
  document.addEventListener('focusout', leave, options)
  document.addEventListener('keydown', onKeyDown, options)
  document.addEventListener('scroll', onScroll, options)
  return () => {
    ending.abort()
    leave()
  }
}

const openerOf = (target: EventTarget | null) =>
  (target as Element | null)?.closest<HTMLElement>('[data-tooltip]') ?? undefined

/** Above its opener, or below where the window ends. */
function show(opener: HTMLElement): HTMLElement {
  const { tooltip: text = '', tooltipKey: key } = opener.dataset
  const tooltip = Object.assign(document.createElement('div'), { className: 'tooltip', textContent: text })
  tooltip.setAttribute('popover', 'manual')
  tooltip.setAttribute('aria-hidden', 'true')
  if (key !== undefined)
    tooltip.append(Object.assign(document.createElement('kbd'), { className: 'tooltip-key', textContent: key }))
  // Where it can have the pointer: what is outside an open modal dialog cannot.
  ;(opener.closest('dialog') ?? document.body).append(tooltip)
  tooltip.showPopover()
  const { left, right, top, bottom } = opener.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = tooltip
  const centred = Math.min((left + right - width) / 2, innerWidth - width - marginPx)
  const above = top - gapPx - height
  tooltip.style.left = `${Math.max(marginPx, centred)}px`
  tooltip.style.top = `${above < marginPx ? bottom + gapPx : above}px`
  return tooltip
}
