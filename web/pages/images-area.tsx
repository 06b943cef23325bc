// The images of the dashboard or of an album, with all that can be done with them.
import { Suspense, useCallback, useDeferredValue, useEffect, useMemo, useState, type ReactNode } from 'react'
import type { Image } from '../../contract/endpoints/images.ts'
import { changeGalleryPrefs, useGalleryPrefs } from '../features/dashboard/gallery-prefs.ts'
import { imageActions, type AlbumOperations } from '../features/dashboard/image-actions.ts'
import { selectionActions } from '../features/dashboard/selection-actions.ts'
import { SelectionBar } from '../features/dashboard/selection-bar.tsx'
import { useImageSelection } from '../features/dashboard/use-image-selection.ts'
import { useLightbox } from '../features/dashboard/use-lightbox.ts'
import { useUndoableChanges } from '../features/dashboard/use-undoable-changes.ts'
import { Gallery } from '../features/gallery/gallery.tsx'
import type { GalleryProps } from '../features/gallery/tiles.tsx'
import { isTextField } from '../features/shortcuts/site-keymap.ts'
import { useCopyChoice } from '../model/copy-choice.ts'
import { followOtherTabs, useGallery } from '../model/images/gallery.ts'
import { isOthers } from '../model/images/own-image.ts'
import { imageTargets } from '../model/images/image-targets.ts'
import { useShortcutsOn } from '../model/shortcut-prefs.ts'
import { gallery as galleryTexts } from '../texts/gallery-messages.ts'
import type { Anchor } from '../ui/menu/place-popover.ts'
import { Section } from '../ui/section.tsx'
import { UndoBar } from '../ui/undo/undo-bar.tsx'
import type { AddChange } from '../ui/undo/use-undo.ts'
import { useDocumentKeys } from '../ui/use-document-keys.ts'
import { copyImage, copyImages } from './copy-image.ts'
import {
  ChosenImagesDialogs,
  DashboardLightbox,
  ImageDialogs,
  OwnShareSheet,
  useChosenImages,
  useImageDialog,
} from './dashboard-dialogs.tsx'
import { useExtendImages } from './use-extend-images.ts'
import '../features/gallery/gallery.css'
import '../features/dashboard/dashboard.css'
import '../styles/bars.css'

/** @param ofAlbum what can be done with images of the album that is shown */
export function useImages(isReadOnly: boolean, ofAlbum?: (add: AddChange) => AlbumOperations) {
  const { items, status } = useGallery()
  const viewer = useLightbox()
  const selection = useImageSelection(items)
  const undoable = useUndoableChanges(selection.clear)
  const extend = useExtendImages(extendTexts)
  const dialog = useImageDialog(viewer.id)
  const chosen = useChosenImages()
  const copyChoice = useCopyChoice()
  const { open } = viewer
  const { add, remove, removeAll, changeVisibility, keep } = undoable
  const tag = chosen.tags.open
  const addToAlbum = chosen.albums.open
  const chooseExpiry = chosen.expiry.open
  const { show } = dialog
  const inAlbum = useMemo(() => ofAlbum?.(add), [ofAlbum, add])
  const actions = useMemo(
    () =>
      imageActions({
        open,
        show,
        extend,
        remove,
        changeVisibility,
        tag,
        addToAlbum,
        keep,
        chooseExpiry,
        ofAlbum: inAlbum,
        copyChoice,
        copyImage,
      }),
    [open, show, extend, remove, changeVisibility, tag, addToAlbum, keep, chooseExpiry, inAlbum, copyChoice],
  )
  useEffect(followOtherTabs, [])
  const { images: selected } = selection
  const share = chosen.link.open
  const ofSelected = useMemo(
    () =>
      selectionActions(selected, {
        copy: (images) => copyImages(images, copyChoice),
        share,
        extend,
        keep,
        chooseExpiry,
        changeVisibility,
        tag,
        addToAlbum,
        removeAll,
        ofAlbum: inAlbum,
      }),
    [selected, share, extend, keep, chooseExpiry, changeVisibility, tag, addToAlbum, removeAll, inAlbum, copyChoice],
  )
  useEffect(() => {
    if (isReadOnly) return
    imageTargets.set({ selected, actions: actions.gallery, ofSelected })
    return () => imageTargets.set(null)
  }, [isReadOnly, selected, actions, ofSelected])
  return { items, status, viewer, selection, undoable, dialog, chosen, actions, ofSelected, inAlbum, isReadOnly }
}

type Images = ReturnType<typeof useImages>

/** They do nothing while the ids of all images are being loaded, as the buttons of the bar. */
const keysOf = ({ selection, ofSelected }: Images): GalleryProps['ofSelected'] =>
  Object.fromEntries(
    ofSelected.flatMap(({ shortcut, isOff, run }) =>
      shortcut === undefined ? [] : [[shortcut, () => void (!selection.isSelectingAll && isOff !== true && run())]],
    ),
  )

/**
 * Ctrl+A is about the images wherever the focus is, except in a text, and so are then the keys of the selected ones; in the
 * grid, its own keys hear them first.
 */
function usePageKeys(isOn: boolean, selectAll: () => Promise<void>, ofSelected: GalleryProps['ofSelected']): void {
  const shortcutsOn = useShortcutsOn()
  useDocumentKeys((event) => {
    if (!isOn || isForOthers(event)) return
    const key = event.key.toLowerCase()
    const hasControl = event.ctrlKey || event.metaKey
    if (hasControl && (key !== 'a' || event.ctrlKey === event.metaKey || event.shiftKey)) return
    const isPossible = shortcutsOn || key.length > 1
    const act = hasControl ? () => void selectAll() : isPossible && Object.hasOwn(ofSelected, key) && ofSelected[key]
    if (!act) return
    event.preventDefault()
    act()
  })
}

/** Heard by something else, or meant for it. */
const isForOthers = ({ defaultPrevented, altKey, isComposing, target }: KeyboardEvent): boolean =>
  defaultPrevented ||
  altKey ||
  isComposing ||
  isTextField(target) ||
  (target instanceof Element && target.closest('[role=menu]') !== null) ||
  document.querySelector('dialog[open]') !== null

interface Props extends Pick<GalleryProps, 'hasFilters' | 'onClearFilters' | 'onSort' | 'empty'> {
  images: Images
  /** Around the gallery. */
  wrap?: (gallery: ReactNode) => ReactNode
}

export function ImagesArea({ images, wrap = (gallery) => gallery, ...props }: Props) {
  const { viewer, selection, undoable, dialog, chosen, actions, ofSelected, isReadOnly } = images
  const { view, rowHeight } = useGalleryPrefs()
  // The pressed button is painted before a hundred other tiles.
  const shownView = useDeferredValue(view)
  const shortcutsOn = useShortcutsOn()
  const choice = useCopyChoice()
  const { show } = dialog
  const showMore = useCallback((image: Image, anchor?: Anchor) => show('sheet', image, anchor), [show])
  const keys = keysOf(images)
  const hasImages = !isReadOnly && images.items.length > 0
  usePageKeys(hasImages, selection.selectAll, selection.images.length > 0 ? keys : {})
  const undoBar = <UndoBar of={undoable} />
  return (
    <>
      <Section>
        {wrap(
          <Gallery
            view={shownView}
            {...(rowHeight === undefined ? {} : { rowHeight })}
            actions={actions.gallery}
            selection={selection.ids}
            onSelect={selection.select}
            onSelectAll={() => void selection.selectAll()}
            ofSelected={keys}
            onOpen={viewer.open}
            onMore={showMore}
            isViewing={viewer.isInList}
            lastViewed={viewer.lastViewed}
            isReadOnly={isReadOnly}
            onToggleView={() => changeGalleryPrefs({ view: view === 'grid' ? 'list' : 'grid' })}
            shortcutsOn={shortcutsOn}
            {...props}
          />,
        )}
      </Section>
      <div className="bars">
        {viewer.index === undefined && undoBar}
        {!isReadOnly && (selection.images.length > 0 || selection.isSelectingAll) && (
          <SelectionBar
            count={selection.images.length}
            own={selection.images.filter((image) => !isOthers(image)).length}
            isSelectingAll={selection.isSelectingAll}
            actions={ofSelected}
            onCopy={() => copyImages(selection.images, choice)}
            onClear={selection.clear}
          />
        )}
      </div>
      <DashboardLightbox viewer={viewer} actions={actions.lightbox} isReadOnly={isReadOnly}>
        {undoBar}
      </DashboardLightbox>
      <ChosenImagesDialogs chosen={chosen} undoable={undoable} />
      <ImageDialogs opened={dialog} actions={actions.gallery} onSaved={viewer.refresh} />
    </>
  )
}

/** The share sheet of the last upload, shown until the next one begins. @returns it, and what the upload area tells about that */
export function useUploadedSheet(): [sheet: ReactNode, onResult: (image: Image | undefined) => void] {
  const [image, setImage] = useState<Image>()
  const sheet = image && (
    <Section>
      <Suspense>
        <OwnShareSheet key={image.id} image={image} isInPage onClose={() => setImage(undefined)} />
      </Suspense>
    </Section>
  )
  return [sheet, setImage]
}

const extendTexts = {
  extended: (count: number) => (count === 1 ? galleryTexts.extended : galleryTexts.extendedSome(count)),
  failed: galleryTexts.extendFailed,
}
