import { clsx } from 'clsx'
import { ChevronLeft, ChevronRight, Info, Maximize, Minimize, Pencil, X, ZoomIn, ZoomOut } from 'lucide-react'
import {
  startTransition,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { flushSync } from 'react-dom'
import type { ControllerRef, ZoomRef } from 'yet-another-react-lightbox'
import type { Image } from '../../../contract/endpoints/images.ts'
import { expiresSoon, expiryLabel } from '../../format/expiry-texts.ts'
import { isOthers } from '../../model/images/own-image.ts'
import { expiry } from '../../texts/gallery-messages.ts'
import { lightbox } from '../../texts/lightbox-messages.ts'
import { Toaster } from '../../ui/toast/toaster.tsx'
import type { Action } from '../../ui/action.ts'
import { shownName } from '../../model/images/stored-image.ts'
import { LightboxActions, runAction } from './lightbox-actions.tsx'
import { Details } from './image-details.tsx'
import type { ImageTexts } from './details-form.tsx'
import { keyAction, type KeyTable } from './lightbox-keys.ts'
import { Stage } from './stage.tsx'
import { ToolButton } from './tool-button.tsx'
import { useFullscreen } from './use-fullscreen.ts'
import { useModal } from './use-modal.ts'
import './lightbox.css'

interface Props {
  /** The whole list; undefined: not loaded yet. `onIndex` reports which one is viewed. */
  images: readonly (Image | undefined)[]
  index: number
  onIndex: (index: number) => void
  /** @param index the one that was viewed last; `onIndex` may not have reported it */
  onClose: (index: number) => void
  /** Set while images of the list failed to load. */
  onRetryMissing?: () => void
  actions: readonly Action<Image>[]
  /** Saves what the owner has written about the image. @throws with a text for people */
  onSave?: (image: Image, fields: ImageTexts) => Promise<void>
  isReadOnly?: boolean
  /** False where the user has switched single-letter keys off. */
  hasLetterKeys?: boolean
  /** What the page offers meanwhile: everything beside the viewer is inert. */
  children?: ReactNode
}

/** After the slide (stage.tsx), and not for each image that keys held down pass. */
const reportAfterMs = 300

/** Shows one image at a time at full size while mounted, dark in both themes for true colours. */
export function Lightbox(props: Props) {
  const { images, onIndex, onClose, onRetryMissing, actions, onSave, hasLetterKeys = true, children } = props
  const [at, setAt] = useResettingState(Math.min(props.index, images.length - 1))
  const [{ zoom, maxZoom }, setZoom] = useState({ zoom: 1, maxZoom: 1 })
  const [hasDetails, setDetails] = useState(false)
  const detailsId = useId()
  const frame = useRef<HTMLDivElement>(null)
  const controller = useRef<ControllerRef>(null)
  const zoomer = useRef<ZoomRef>(null)
  const fullscreen = useFullscreen(frame)
  const modal = useModal(() => onClose(at))

  const image = images[at]
  const position = lightbox.position(at + 1, images.length)
  const shownActions =
    props.isReadOnly || image === undefined ? [] : actions.filter(({ isFor }) => isFor?.(image) ?? true)
  const isReadOnly = props.isReadOnly || (image !== undefined && isOthers(image))

  // The page below is rendered for a new address: the next image is painted before that.
  const report = useEffectEvent(() => at !== props.index && onIndex(at))
  useEffect(() => {
    const timer = setTimeout(() => report(), reportAfterMs)
    return () => clearTimeout(timer)
  }, [at])

  const close = () => modal.ref.current?.close()
  const previous = () => at > 0 && controller.current?.prev()
  const next = () => at < images.length - 1 && controller.current?.next()
  const zoomIn = () => zoomer.current?.zoomIn()
  const zoomOut = () => zoomer.current?.zoomOut()
  const toggleDetails = () => setDetails((is) => !is)

  function addTitle(): void {
    flushSync(() => setDetails(true))
    document.getElementById(detailsId)?.querySelector('input')?.focus()
  }

  function keys(): KeyTable {
    return {
      arrowleft: previous,
      arrowright: next,
      '+': zoomIn,
      '=': zoomIn,
      '-': zoomOut,
      _: zoomOut,
      0: () => zoomer.current?.changeZoom(1),
      i: toggleDetails,
      ...(fullscreen.toggle === undefined ? {} : { f: fullscreen.toggle }),
      ...Object.fromEntries(
        shownActions.map((action) => [action.shortcut, () => image !== undefined && runAction(action, image)]),
      ),
    }
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (isTyping(event.target)) return
    const act = keyAction(event, keys(), hasLetterKeys)
    if (act === undefined) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }

  return (
    <dialog {...modal} className="lightbox" tabIndex={-1} aria-label={lightbox.label} onKeyDown={onKeyDown}>
      <div ref={frame} className="lightbox-layout">
        <Stage
          images={images}
          index={at}
          // The picture moves first, then the name and tools around it change.
          onView={(viewed) => startTransition(() => setAt(viewed))}
          onZoom={() => zoomer.current !== null && setZoom(zoomer.current)}
          onClose={close}
          onRetryMissing={onRetryMissing}
          controller={controller}
          zoom={zoomer}
        />

        <div className="lightbox-heading">
          <p className="truncate font-medium">{image && shownName(image)}</p>
          <p className="shrink-0 text-meta text-text-2 tabular-nums">{position}</p>
        </div>
        {/* First in the tab order, last on screen. */}
        <ToolButton className="lightbox-close" icon={X} label={lightbox.close} shortcut="Escape" onClick={close} />
        <ToolButton
          className="lightbox-previous"
          icon={ChevronLeft}
          label={lightbox.previous}
          shortcut="ArrowLeft"
          aria-disabled={at === 0}
          onClick={previous}
        />
        <ToolButton
          className="lightbox-next"
          icon={ChevronRight}
          label={lightbox.next}
          shortcut="ArrowRight"
          aria-disabled={at === images.length - 1}
          onClick={next}
        />
        <div className="lightbox-tools">
          {image?.title === '' && !isReadOnly && onSave !== undefined && !hasDetails && (
            <button type="button" className="btn btn-ghost btn-sm shrink-0 coarse:h-11" onClick={addTitle}>
              <Pencil className="size-4" aria-hidden />
              <span className="max-md:sr-only">{lightbox.addTitle}</span>
            </button>
          )}
          <ToolButton
            className="max-xs:hidden"
            icon={ZoomIn}
            label={lightbox.zoomIn}
            shortcut="+"
            aria-disabled={zoom >= maxZoom}
            onClick={zoomIn}
          />
          <ToolButton
            className="max-xs:hidden"
            icon={ZoomOut}
            label={lightbox.zoomOut}
            shortcut="-"
            aria-disabled={zoom <= 1}
            onClick={zoomOut}
          />
          <FullscreenButton {...fullscreen} />
          <ToolButton
            icon={Info}
            label={lightbox.details}
            shortcut="I"
            aria-expanded={hasDetails}
            aria-controls={detailsId}
            onClick={toggleDetails}
          />
        </div>

        {hasDetails && <Details id={detailsId} image={image} {...(!isReadOnly && onSave && { onSave })} />}

        <div className="lightbox-bottom">
          {image !== undefined && <Expiry expiresAt={image.expires_at} />}
          {image !== undefined && shownActions.length > 0 && <LightboxActions image={image} actions={shownActions} />}
        </div>
        <p className="sr-only" aria-live="polite">
          {image !== undefined && lightbox.announced(shownName(image), position)}
        </p>
        <div className="lightbox-bars">{children}</div>
        <Toaster />
      </div>
    </dialog>
  )
}

function FullscreenButton({ isFullscreen, toggle }: ReturnType<typeof useFullscreen>) {
  if (toggle === undefined) return null
  return (
    <ToolButton
      icon={isFullscreen ? Minimize : Maximize}
      label={isFullscreen ? lightbox.exitFullscreen : lightbox.enterFullscreen}
      shortcut="F"
      onClick={toggle}
    />
  )
}

/** In a field, keys write; Escape closes. */
const isTyping = (target: EventTarget) => target instanceof HTMLElement && target.matches('input, textarea')

function Expiry({ expiresAt }: { expiresAt: string | null }) {
  const now = new Date()
  return (
    <p className={clsx('lightbox-expiry', expiresSoon(expiresAt, now) && 'lightbox-soon')}>
      {expiryLabel(expiresAt, now, expiry)}
    </p>
  )
}

/** State that starts as `value` and is reset to it whenever it changes. */
function useResettingState(value: number) {
  const [current, setCurrent] = useState(value)
  const [last, setLast] = useState(value)
  if (last !== value) {
    setLast(value)
    setCurrent(value)
  }
  return [last === value ? current : value, setCurrent] as const
}
