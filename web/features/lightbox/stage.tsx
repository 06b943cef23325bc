// The carousel of the lightbox: swiping, pinching and pulling by yet-another-react-lightbox; its frame and buttons are ours.
import { useEffect, useMemo, type ReactNode, type RefObject } from 'react'
import {
  A11yContextProvider,
  ACTION_CLOSE,
  CarouselModule,
  ControllerModule,
  EventsProvider,
  LightboxDefaultProps,
  LightboxPropsProvider,
  LightboxRoot,
  LightboxStateProvider,
  TimeoutsProvider,
  createNode,
  useEvents,
  withPlugins,
  type ComponentProps,
  type ControllerRef,
  type Node,
  type SlideImage,
  type ZoomRef,
} from 'yet-another-react-lightbox'
import Zoom from 'yet-another-react-lightbox/plugins/zoom'
import 'yet-another-react-lightbox/styles.css'
import type { Image } from '../../../contract/images.ts'
import { carousel } from '../../texts/lightbox-messages.ts'
import { Slide } from './slide.tsx'
import { naturalSize, sourcesOf } from './sources.ts'

interface Props {
  images: readonly (Image | undefined)[]
  index: number
  onView: (index: number) => void
  onZoom: () => void
  onClose: () => void
  controller: RefObject<ControllerRef | null>
  zoom: RefObject<ZoomRef | null>
}

/** Put together from the library's parts, without its own window, buttons and keys: 1.5 kB less, and the dialog has those. */
export function Stage({ images, index, onView, onZoom, onClose, controller, zoom }: Props) {
  const slides = useMemo(() => slidesAround(images, index), [images, index])
  const props = augmentation({
    ...LightboxDefaultProps,
    open: true,
    close: onClose,
    labels: carousel,
    animation: { ...LightboxDefaultProps.animation, ...animation },
    carousel: { ...LightboxDefaultProps.carousel, finite: true, preload: 1, padding: 0 },
    controller: { ...LightboxDefaultProps.controller, ref: controller, closeOnPullDown: true },
    // 2: pictures smaller than the screen can be looked at closely too.
    zoom: { ref: zoom, maxZoomPixelRatio: 2 },
    on: { view: (viewed) => onView(viewed.index), zoom: onZoom },
    render: {
      slide: ({ slide, rect, zoom: factor = 1 }) => (
        <Slide image={(slide as ImageSlide).image} room={rect} zoom={factor} />
      ),
    },
  })
  return (
    <LightboxPropsProvider {...props}>
      <LightboxStateProvider slides={slides} index={index}>
        <TimeoutsProvider>
          <EventsProvider>
            <A11yContextProvider>
              <LightboxRoot className="lightbox-frame">
                <ClosedByPull onClose={onClose} />
                {config.map((node) => renderNode(node, props))}
              </LightboxRoot>
            </A11yContextProvider>
          </EventsProvider>
        </TimeoutsProvider>
      </LightboxStateProvider>
    </LightboxPropsProvider>
  )
}

const { config, augmentation } = withPlugins([createNode(ControllerModule, [createNode(CarouselModule)])], [Zoom])

const renderNode = ({ module, children }: Node, props: ComponentProps): ReactNode => (
  <module.component key={module.name} {...props}>
    {children?.map((child) => renderNode(child, props))}
  </module.component>
)

function ClosedByPull({ onClose }: { onClose: () => void }) {
  const { subscribe } = useEvents()
  useEffect(() => subscribe(ACTION_CLOSE, onClose), [subscribe, onClose])
  return null
}

const animation = { fade: 180, swipe: 320, navigation: 240 }

interface ImageSlide extends SlideImage {
  image: Image | undefined
}

const reach = 3

/**
 * As many slides as images, but only those around `index` exist: the carousel looks at no others, and a hundred thousand
 * of them would have to be made anew with every step. Its own count and order stay those of the whole list.
 */
function slidesAround(images: Props['images'], index: number): ImageSlide[] {
  const slides: ImageSlide[] = []
  slides.length = images.length
  for (let at = Math.max(0, index - reach); at <= Math.min(images.length - 1, index + reach); at++)
    slides[at] = toSlide(images[at])
  return slides
}

const toSlide = (image: Image | undefined): ImageSlide =>
  image === undefined ? { src: '', image } : { src: sourcesOf(image).src, ...naturalSize(image), image }
