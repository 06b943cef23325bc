// The carousel of the lightbox: yet-another-react-lightbox's gestures without its controls.
import { useMemo, useRef, type CSSProperties, type RefObject } from 'react'
import Carousel, {
  MODULE_NAVIGATION,
  MODULE_NO_SCROLL,
  MODULE_TOOLBAR,
  type ControllerRef,
  type Plugin,
  type SlideImage,
  type ZoomRef,
} from 'yet-another-react-lightbox'
import Zoom from 'yet-another-react-lightbox/plugins/zoom'
import 'yet-another-react-lightbox/styles.css'
import type { Image } from '../../../contract/endpoints/images.ts'
import { carousel } from '../../texts/lightbox-messages.ts'
import { Slide } from './slide.tsx'
import { naturalSize, slideSourcesOf } from './lightbox-sources.ts'

interface Props {
  images: readonly (Image | undefined)[]
  index: number
  onView: (index: number) => void
  onZoom: () => void
  onClose: () => void
  onRetryMissing: (() => void) | undefined
  controller: RefObject<ControllerRef | null>
  zoom: RefObject<ZoomRef | null>
}

export function Stage({ images, index, onView, onZoom, onClose, onRetryMissing, controller, zoom }: Props) {
  const slides = useMemo(() => slidesAround(images, index), [images, index])
  const root = useRef<HTMLDivElement>(null)
  return (
    <div ref={root} className="lightbox-stage">
      <Carousel
        open
        slides={slides}
        index={index}
        labels={carousel}
        plugins={plugins}
        animation={animation}
        carousel={{ finite: true, preload: 1, padding: 0 }}
        controller={{ ref: controller, closeOnPullDown: true }}
        portal={{ root: () => root.current, container }}
        // 2: images smaller than the screen can be zoomed too.
        zoom={{ ref: zoom, maxZoomPixelRatio: 2 }}
        on={{
          entering: () => controller.current?.focus(),
          // At once; `close` would be called after a fade.
          exiting: onClose,
          view: (viewed) => onView(viewed.index),
          zoom: onZoom,
        }}
        render={{
          slide: ({ slide, rect, zoom: factor = 1 }) => (
            <Slide image={(slide as ImageSlide).image} space={rect} zoom={factor} onRetryMissing={onRetryMissing} />
          ),
        }}
      />
    </div>
  )
}

const withoutOwnControls: Plugin = ({ remove }) => {
  for (const module of [MODULE_NO_SCROLL, MODULE_TOOLBAR, MODULE_NAVIGATION]) remove(module)
}
const plugins = [withoutOwnControls, Zoom]

const animation = { fade: 180, swipe: 320, navigation: 240 }

/** The portal fills the stage: it is no dialog, does not fade in and restores no focus. */
const container = {
  role: undefined,
  'aria-modal': undefined,
  'aria-label': undefined,
  onFocus: () => {},
  style: { position: 'absolute', transition: 'none' } satisfies CSSProperties,
}

interface ImageSlide extends SlideImage {
  image: Image | undefined
}

const reach = 3

/**
 * A sparse array as long as `images`: the carousel reads only slides around `index`, and creating
 * 100,000 of them with every step would be slow.
 */
function slidesAround(images: Props['images'], index: number): ImageSlide[] {
  const slides: ImageSlide[] = []
  slides.length = images.length
  for (let at = Math.max(0, index - reach); at <= Math.min(images.length - 1, index + reach); at++)
    slides[at] = toSlide(images[at])
  return slides
}

const toSlide = (image: Image | undefined): ImageSlide =>
  image === undefined ? { src: '', image } : { src: slideSourcesOf(image).src, ...naturalSize(image), image }
