// The script of the pages of links, which work without it: the viewer with its slideshow, and loading while scrolling.
import { moreImages } from './more-images.ts'
import { createLightbox } from './lightbox.ts'
import { reloadIfEnded } from './still-open.ts'

const images = document.querySelector<HTMLElement>('#images')
const dialog = document.querySelector<HTMLDialogElement>('.viewer')
if (images !== null) {
  const more = moreImages(images)
  // Those of the viewer too. Errors do not bubble.
  document.addEventListener('error', () => void reloadIfEnded(), true)
  if (dialog !== null) createLightbox(dialog, { images, more })
}
