import { clsx } from 'clsx'
import type { Image } from '../../../contract/endpoints/images.ts'
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import { useSources } from '../../model/images/own-image.ts'
import { expiresSoon, expiryLabel } from '../../format/expiry-texts.ts'
import { copyAs, expiry, gallery } from '../../texts/gallery-messages.ts'
import type { Action } from '../../ui/action.ts'
import { ChoiceMenu } from '../../ui/menu/choice-menu.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { shownName } from '../../model/images/stored-image.ts'

interface Props {
  image: Image
  actions: readonly Action<Image>[]
  onClose: () => void
}

/** Shown side by side above the others. */
const first = ['copy', 'share']

/** All actions for an image, on screens without space for a row of buttons. */
export function ImageSheet({ image, actions, onClose }: Props) {
  const now = new Date()
  const [thumbnail] = useSources(image, [image.thumbnailUrl])
  const run = (action: Action<Image>, element: Element) => {
    // Closed first, so that the next dialog restores the focus to the element before the sheet.
    element.closest('dialog')?.close()
    void action.run(image)
  }
  return (
    // File names are long, so they are smaller than a title.
    <Dialog title={<span className="line-clamp-2 text-h3">{shownName(image)}</span>} onClose={onClose}>
      <div className="bottom-sheet flex items-center gap-4">
        <img src={thumbnail} alt="" className="size-20 shrink-0 rounded-tile bg-surface-2 object-cover" />
        <p className="text-dense text-text-2 tabular-nums">
          {gallery.dimensions(image.width, image.height)} · {formatBytes(image.size)} · {gallery.views(image.views)}
          <br />
          <span className={clsx(expiresSoon(image.expires_at, now) && 'font-medium text-danger-text')}>
            {expiryLabel(image.expires_at, now, expiry)}
          </span>
        </p>
      </div>
      <div className="flex flex-wrap gap-2.5">
        {actions
          .filter(({ id }) => first.includes(id))
          .map((action) => (
            <MainAction key={action.id} action={action} image={image} onRun={(element) => run(action, element)} />
          ))}
      </div>
      <ul className="image-sheet-actions -mx-2">
        {actions
          .filter(({ id }) => !first.includes(id))
          .map((action) => (
            <li key={action.id}>
              <button
                type="button"
                className={clsx('sheet-row', action.isDanger === true && 'text-danger-text')}
                disabled={action.isDisabled?.(image)}
                onClick={(event) => run(action, event.currentTarget)}
              >
                <action.icon className="size-5 shrink-0" aria-hidden />
                {action.label}
              </button>
            </li>
          ))}
      </ul>
    </Dialog>
  )
}

interface MainActionProps {
  action: Action<Image>
  image: Image
  onRun: (element: Element) => void
}

function MainAction({ action, image, onRun }: MainActionProps) {
  const className = clsx('btn', action.id === 'copy' ? 'btn-primary' : 'btn-quiet')
  const button = (
    <button type="button" className={clsx(className, 'flex-1')} onClick={(event) => onRun(event.currentTarget)}>
      <action.icon className="size-4.5" aria-hidden />
      {action.label}
    </button>
  )
  if (action.ways === undefined) return button
  return (
    <span className="split flex-1">
      {button}
      <ChoiceMenu
        label={copyAs.more}
        className={className}
        choices={action.ways.map((way) => ({ ...way, run: () => void way.run(image) }))}
      />
    </span>
  )
}
