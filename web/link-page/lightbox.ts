// The lightbox: an image over the whole window, its neighbours by buttons, keys and swipes, and all of them as a slideshow
// (slideshow.ts). Its address names the image, so that the back button closes it.
import type { LoadMore } from './more-images.ts'
import { createSlideshow } from './slideshow.ts'
import { onSwipe } from './swipe.ts'

interface Parts {
  images: HTMLElement
  more: LoadMore
}

/** So many images before the end, the next page is loaded. */
const loadAhead = 5

export function createLightbox(dialog: HTMLDialogElement, { images, more }: Parts): void {
  const part = <E extends HTMLElement>(selector: string) => dialog.querySelector<E>(selector)!
  const [stage, counter, caption] = [part('.stage'), part('output'), part('.caption')]
  const [run, save] = [part<HTMLButtonElement>('#run'), part<HTMLAnchorElement>('#save')]
  const total = Number(counter.dataset.count)
  let shown: HTMLAnchorElement | undefined
  const slideshow = createSlideshow({ dialog, run, caption, next: () => void step(1) })

  const tiles = () => [...images.querySelectorAll<HTMLAnchorElement>('a:has(> img)')]
  const tileAt = (hash: string) => tiles().find(({ id }) => `#${id}` === hash)

  function open(tile: HTMLAnchorElement): void {
    history.pushState({ viewer: true }, '', `#${tile.id}`)
    show(tile)
  }

  function show(tile: HTMLAnchorElement): void {
    shown = tile
    if (!dialog.open) dialog.showModal()
    const all = tiles()
    const at = all.indexOf(tile)
    const image = largeImage(tile)
    stage.replaceChildren(image)
    counter.textContent = all.length < 2 ? '' : `${at + 1} / ${Math.max(total, all.length)}`
    caption.textContent = tile.dataset.title ?? thumbnailOf(tile).alt
    save.hidden = tile.dataset.file === undefined
    if (tile.dataset.file !== undefined) Object.assign(save, { href: tile.dataset.file, download: tile.dataset.name })
    part('#previous').hidden = part('#next').hidden = run.hidden = all.length < 2
    if (at >= all.length - loadAhead) void more()
    for (const neighbour of [all[at + 1], all[at - 1]]) if (neighbour) largeImage(neighbour)
    slideshow.planAfter(image)
  }

  async function step(by: 1 | -1): Promise<void> {
    if (shown === undefined) return
    const target = shown
    const wanted = tiles().indexOf(target) + by
    if (wanted >= tiles().length) await more()
    // Another key was faster.
    if (shown !== target) return
    const all = tiles()
    goTo(all[(wanted + all.length) % all.length])
  }

  function goTo(tile: HTMLAnchorElement | undefined): void {
    if (tile === undefined) return
    history.replaceState(history.state, '', `#${tile.id}`)
    show(tile)
  }

  function close(): void {
    // Back leads to where the viewer was opened; a link to the image has nothing before it.
    if ((history.state as { viewer?: boolean } | null)?.viewer === true) return history.back()
    history.replaceState(null, '', location.pathname + location.search)
    hide()
  }

  function hide(): void {
    if (dialog.open) dialog.close()
    const tile = shown
    if (tile === undefined) return
    shown = undefined
    slideshow.setPlaying(false)
    stage.replaceChildren()
    tile.scrollIntoView({ block: 'nearest' })
    tile.focus()
  }

  const actions: Record<string, () => void> = {
    ArrowRight: () => void step(1),
    ArrowLeft: () => void step(-1),
    Home: () => goTo(tiles()[0]),
    End: () => goTo(tiles().at(-1)),
    ' ': slideshow.toggle,
  }
  dialog.addEventListener('keydown', (event) => {
    slideshow.wake()
    const isOnButton = event.key === ' ' && (event.target as Element).closest('button, a') !== null
    const action = actions[event.key]
    if (action === undefined || isOnButton || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    action()
  })
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    close()
  })
  // Browsers let a page prevent Escape only once in a row.
  dialog.addEventListener('close', () => {
    if (shown !== undefined) close()
  })
  for (const type of ['pointermove', 'pointerdown', 'focusin']) dialog.addEventListener(type, slideshow.wake)
  part('#close').onclick = close
  part('#previous').onclick = () => void step(-1)
  part('#next').onclick = () => void step(1)
  run.onclick = slideshow.toggle
  onSwipe(stage, {
    left: () => void step(1),
    right: () => void step(-1),
    down: close,
  })

  images.addEventListener('click', (event) => {
    const tile = (event.target as Element).closest<HTMLAnchorElement>('a:has(> img)')
    if (tile === null || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    open(tile)
  })
  addEventListener('popstate', () => {
    const tile = tileAt(location.hash)
    if (tile) show(tile)
    else hide()
  })
  const play = document.querySelector<HTMLButtonElement>('#play')
  if (play !== null) {
    play.disabled = false
    play.onclick = () => {
      const [first] = tiles()
      if (first === undefined) return
      open(first)
      slideshow.setPlaying(true)
    }
  }
  const linked = tileAt(location.hash)
  if (linked) show(linked)
}

const thumbnailOf = (tile: HTMLAnchorElement) => tile.querySelector('img')!

/** Until it is loaded, the thumbnail is in its place, which is there already. */
function largeImage(tile: HTMLAnchorElement): HTMLImageElement {
  const thumbnail = thumbnailOf(tile)
  const [width, height] = [Number(thumbnail.getAttribute('width')), Number(thumbnail.getAttribute('height'))]
  const image = new Image(width, height)
  image.alt = thumbnail.alt
  image.draggable = false
  image.style.setProperty('--r', String(width / height))
  // A small image is shown enlarged to twice its size at most.
  image.style.setProperty('--x', `${Math.max(width * 2, 320)}px`)
  if (thumbnail.complete && thumbnail.currentSrc !== '') {
    image.style.backgroundImage = `url("${CSS.escape(thumbnail.currentSrc)}")`
    // Otherwise it would be seen through a transparent image, and around one that is not as wide as its place.
    image.addEventListener('load', () => (image.style.backgroundImage = ''), { once: true })
  }
  image.sizes = `${Math.ceil(Math.min(innerWidth, (innerHeight * width) / height))}px`
  if (thumbnail.srcset === '') image.src = tile.href
  else Object.assign(image, { srcset: thumbnail.srcset, src: tile.href })
  return image
}
