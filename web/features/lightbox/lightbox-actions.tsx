import { clsx } from 'clsx'
import { Fragment } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { copyAs } from '../../texts/gallery-messages.ts'
import { lightbox } from '../../texts/lightbox-messages.ts'
import type { Action } from '../../ui/action.ts'
import { ChoiceMenu } from '../../ui/menu/choice-menu.tsx'

interface Props {
  image: Image
  actions: readonly Action<Image>[]
}

/** The actions for the image: icon and label side by side, on a phone the label below. */
export function LightboxActions({ image, actions }: Props) {
  return (
    <div role="group" aria-label={lightbox.actions} className="lightbox-actions">
      {actions.map((action) => (
        <Fragment key={action.id}>
          <button
            type="button"
            className={clsx(
              'lightbox-action',
              action.isDanger === true && 'lightbox-action-danger',
              action.label.length > maxShortLabelChars && 'lightbox-action-long',
            )}
            aria-keyshortcuts={action.shortcut}
            aria-disabled={action.isDisabled?.(image)}
            onClick={() => runAction(action, image)}
          >
            <action.icon className="size-[1.125rem]" aria-hidden />
            {action.label}
          </button>
          {action.ways !== undefined && (
            <ChoiceMenu
              label={copyAs.more}
              className="lightbox-action lightbox-ways"
              choices={action.ways.map((way) => ({ ...way, run: () => void way.run(image) }))}
            />
          )}
        </Fragment>
      ))}
    </div>
  )
}

/** Longer labels need a wider button on a phone. */
const maxShortLabelChars = 12

/** Actions report their own failures. */
export function runAction(action: Action<Image>, image: Image): void {
  if (action.isDisabled?.(image) !== true) void action.run(image)
}
